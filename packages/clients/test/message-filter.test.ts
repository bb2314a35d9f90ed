import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createMessageFilter } from '../src/browser/message-filter.ts'

const event = (method: string, text = '') => `${JSON.stringify({ method, params: { text } })}\0`
const response = `${JSON.stringify({ id: 7, result: { text: '"method":"Runtime.consoleAPICalled"' } })}\0`

/** Passes a text in parts of a size, and returns what remains of it. */
async function filter(
  text: string,
  size: number,
  maxBytes = 1_000,
): Promise<{ text: string; tooLarge: number }> {
  let tooLarge = 0
  const stream = createMessageFilter(maxBytes, () => {
    tooLarge += 1
  })
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) stream.write(bytes.subarray(at, at + size))
  stream.end()
  return { text: (await buffer(stream)).toString(), tooLarge }
}

test('drops messages that nobody reads, wherever chunks split', async () => {
  const passed = [event('Network.requestWillBeSent', 'a'.repeat(200)), response, event('Page.load')]
  const dropped = ['Runtime.consoleAPICalled', 'Runtime.exceptionThrown', 'Network.webSocketFrameSent'].map(
    (method) => event(method, 'ö'.repeat(2_000)),
  )
  const [first = '', second = '', third = ''] = passed
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 9_000 }), async (size) => {
      const text = [dropped[0], first, dropped[1], second, dropped[2], third].join('')
      expect(await filter(text, size)).toEqual({ text: passed.join(''), tooLarge: 0 })
    }),
    { numRuns: 50 },
  )
})

test('tells when a message is too large, before it has ended', async () => {
  const { tooLarge } = await filter(event('Network.requestWillBeSent', 'a'.repeat(2_000)).slice(0, -1), 100)
  expect(tooLarge).toBeGreaterThan(0)
})
