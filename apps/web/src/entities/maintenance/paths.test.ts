import { maxBatchWebs } from '@kustos/contract/batches'
import { expect, test } from 'vitest'
import { planMaintenanceOfMany, readPlannedWebs } from './paths.ts'

test('many webs go with the navigation, not in its address', () => {
  const webs = Array.from({ length: maxBatchWebs }, (_, index) => index + 1)
  const { path, state } = planMaintenanceOfMany(webs)
  expect(path).toBe('/monitoring/maintenance?plan=1')
  expect(readPlannedWebs(structuredClone(state))).toEqual(webs.map(String))
})

test.each([[null], [undefined], [{ grid: {} }], [{ webs: '1' }], [{ webs: ['1', null] }]])(
  'other states have no webs: %o',
  (state) => expect(readPlannedWebs(state)).toEqual([]),
)
