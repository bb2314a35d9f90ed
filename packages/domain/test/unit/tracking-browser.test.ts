import { expect, test } from 'vitest'
import { readConfiguration } from '../../src/configuration.ts'
import { openOutsideOfWorkers } from '../../src/outside.ts'

test.each(['chromium', './chromium'])('a browser is named by its whole path, which %s is not', (program) => {
  expect(readConfiguration({ TRACKING_BROWSER: program })).toEqual({
    ok: false,
    sentence: 'TRACKING_BROWSER must be the absolute path of a Chromium.',
  })
})

test('an empty name is none', () => {
  const read = readConfiguration({ TRACKING_BROWSER: '' })
  expect(read.ok && read.configuration.TRACKING_BROWSER).toBe(undefined)
})

test('a browser that is not there stops the start, and is named', async () => {
  const read = readConfiguration({ TRACKING_BROWSER: '/nowhere/chromium' })
  if (!read.ok) throw new Error(read.sentence)
  // There is no database behind it: it gets no farther than to the program.
  const opening = openOutsideOfWorkers(read.configuration, {
    databaseUrl: 'postgres://nobody@127.0.0.1:1/nothing',
    onError: () => undefined,
  })
  await expect(opening).rejects.toThrow(
    'TRACKING_BROWSER cannot be used: there is no program at /nowhere/chromium.',
  )
})
