import { expect, test } from 'vitest'
import { readConfiguration } from '../../src/platform/configuration/index.ts'
import { openWorkerServices } from '../../src/services.ts'

test.each(['chromium', './chromium', 'http://browser:9222', 'ws://'])(
  'requires an absolute path or a WebSocket address for the browser, which %s is not',
  (program) => {
    expect(readConfiguration({ TRACKING_BROWSER: program })).toEqual({
      ok: false,
      sentence: 'TRACKING_BROWSER must be the absolute path of a Chromium or ws://host:port.',
    })
  },
)

test('accepts the address of a browser server', () => {
  expect(readConfiguration({ TRACKING_BROWSER: 'ws://browser:9222' })).toMatchObject({ ok: true })
})

test('treats an empty path as unset', () => {
  const read = readConfiguration({ TRACKING_BROWSER: '' })
  expect(read.ok && read.configuration.TRACKING_BROWSER).toBe(undefined)
})

test('names a missing browser and stops the start', async () => {
  const read = readConfiguration({ TRACKING_BROWSER: '/nowhere/chromium' })
  if (!read.ok) throw new Error(read.sentence)
  // No database is needed, because the program is looked for first.
  const opening = openWorkerServices(read.configuration, {
    databaseUrl: 'postgres://nobody@127.0.0.1:1/nothing',
    onError: () => undefined,
  })
  await expect(opening).rejects.toThrow(
    'TRACKING_BROWSER cannot be used: there is no program at /nowhere/chromium.',
  )
})
