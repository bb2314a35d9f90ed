import { expect, test } from 'vitest'
import { planWave } from '../../src/batches/wave.ts'

const settings = { parallel: 4, stop_above: 20 }
const none = { waiting: 0, running: 0, succeeded: 0, failed: 0, skipped: 0, cancelled: 0 }

test.each([
  ['starts with one', { waiting: 9 }, { next: 'start', webs: 1 }],
  ['waits for the first one', { waiting: 8, running: 1 }, { next: 'wait' }],
  ['goes on with several', { waiting: 8, succeeded: 1 }, { next: 'start', webs: 4 }],
  ['keeps to the limit', { waiting: 5, running: 3, succeeded: 1 }, { next: 'start', webs: 1 }],
  ['starts no more than there are', { waiting: 2, succeeded: 7 }, { next: 'start', webs: 2 }],
  ['stops if the first one fails', { waiting: 8, failed: 1 }, { next: 'stop' }],
  ['goes on if few fail', { waiting: 5, succeeded: 4, failed: 1 }, { next: 'start', webs: 4 }],
  ['stops if many fail', { waiting: 5, succeeded: 3, failed: 1 }, { next: 'stop' }],
  [
    'goes on after an early failure',
    { waiting: 5, running: 3, succeeded: 1, failed: 1 },
    { next: 'start', webs: 1 },
  ],
  ['stops while others run', { waiting: 5, running: 2, succeeded: 1, failed: 1 }, { next: 'stop' }],
  ['does not count skipped webs', { waiting: 5, skipped: 90 }, { next: 'start', webs: 1 }],
  ['waits for the last ones', { running: 1, succeeded: 8 }, { next: 'wait' }],
  ['ends', { succeeded: 8, failed: 1, cancelled: 3 }, { next: 'end' }],
])('%s', (_, counts, wave) => {
  expect(planWave({ ...none, ...counts }, settings)).toEqual(wave)
})
