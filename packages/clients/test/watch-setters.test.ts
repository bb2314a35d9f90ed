import type { CDPSession, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { watchSetters } from '../src/browser/watch-setters.ts'

/** Watches a fake page, and returns functions that send events as Chromium does. */
async function watch() {
  const handlers = new Map<string, ((event: unknown) => void)[]>()
  const bindings: string[] = []
  const session = {
    on: (event: string, handler: (event: unknown) => void) =>
      handlers.set(event, [...(handlers.get(event) ?? []), handler]),
    send: async (_: string, { name }: { readonly name?: string } = {}) => {
      if (name !== undefined) bindings.push(name)
    },
  } as unknown as CDPSession
  const page = { addInitScript: async () => undefined } as unknown as Page
  const setters = await watchSetters(page, session)
  const emit = (name: string, event: object) => {
    for (const handler of handlers.get(name) ?? []) handler(event)
  }
  const report = (...parts: readonly string[]) =>
    emit('Runtime.bindingCalled', { name: bindings[0], payload: parts.join('\n\0') })
  return { setters, report, emit }
}

test('a page that falsifies what is reported about it cannot make a name longer than is stored', async () => {
  const { setters, report } = await watch()
  report('service_worker', `https://hotel.test/${'w'.repeat(500)}`, '')
  expect(setters.workers().map(({ length }) => length)).toEqual([200])
})

const request = (url: string, redirect: object = {}) => ({ requestId: '1', request: { url }, ...redirect })
const redirected = { redirectResponse: {}, redirectHasExtraInfo: true }
const sets = (cookie: string) => ({ requestId: '1', headers: { 'set-cookie': `${cookie}=1` } })
const [first, next, last] = ['https://a.test/', 'https://b.test/', 'https://c.test/'] as const

test('a cookie was set by the response of its own hop, also if the next one is reported before its headers', async () => {
  const { setters, emit } = await watch()
  emit('Network.requestWillBeSent', request(first))
  emit('Network.requestWillBeSent', request(next, redirected))
  emit('Network.responseReceivedExtraInfo', sets('one'))
  emit('Network.responseReceivedExtraInfo', sets('two'))
  emit('Network.requestWillBeSent', request(last, redirected))
  emit('Network.responseReceivedExtraInfo', sets('three'))
  expect(['one', 'two', 'three'].map((name) => setters.find('cookie', name))).toEqual([first, next, last])
})

test('a hop whose headers are not reported has set no cookie', async () => {
  const { setters, emit } = await watch()
  emit('Network.requestWillBeSent', request(first))
  emit('Network.requestWillBeSent', request(next, { ...redirected, redirectHasExtraInfo: false }))
  emit('Network.responseReceivedExtraInfo', sets('one'))
  expect(setters.find('cookie', 'one')).toBe(next)
})
