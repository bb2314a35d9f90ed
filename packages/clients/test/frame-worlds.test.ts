import type { BrowserContext, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openFrameWorlds } from '../src/browser/frame-worlds.ts'

test('a frame that is removed meanwhile hides neither the page nor its other frames', async () => {
  const frameOf = (id: string) => ({ id, loaderId: id, url: `http://hotel.test/${id}` })
  const removed = new Set(['ad'])
  const session = {
    on: () => undefined,
    send: async (method: string, parameters: { readonly frameId?: string } = {}) => {
      if (method === 'Page.getFrameTree')
        return {
          frameTree: {
            frame: frameOf('page'),
            childFrames: ['ad', 'map'].map((id) => ({ frame: frameOf(id) })),
          },
        }
      if (removed.has(parameters.frameId ?? ''))
        throw new Error('Protocol error: No frame for given id found')
      return { executionContextId: 1 }
    },
  }
  const main = { url: () => 'http://hotel.test/page' }
  const page = { mainFrame: () => main, frames: () => [main], isClosed: () => false } as unknown as Page
  const context = { newCDPSession: async () => session } as unknown as BrowserContext
  const worlds = await openFrameWorlds(context, page, () => undefined)
  const listed = await worlds.list()
  expect(listed.map(({ url, isTop }) => [url, isTop])).toEqual([
    ['http://hotel.test/page', true],
    ['http://hotel.test/map', false],
  ])
  // What is then listed first is no page.
  removed.add('page')
  const other = await openFrameWorlds(context, page, () => undefined)
  expect((await other.list()).map(({ isTop }) => isTop)).toEqual([false])
})

test('a document of another process is told from one whose world had the same number', async () => {
  const handlers = new Map<string, (event: object) => void>()
  let loaderId = 'first'
  const session = {
    on: (event: string, handler: (event: object) => void) => handlers.set(event, handler),
    send: async (method: string) =>
      method === 'Page.getFrameTree'
        ? { frameTree: { frame: { id: 'page', loaderId, url: 'http://hotel.test/' } } }
        : { executionContextId: 3 },
  }
  const main = { url: () => 'http://hotel.test/' }
  const page = { mainFrame: () => main, frames: () => [main], isClosed: () => false } as unknown as Page
  const context = { newCDPSession: async () => session } as unknown as BrowserContext
  const senders: string[] = []
  const worlds = await openFrameWorlds(context, page, (key) => senders.push(key))
  const listKey = async () => {
    const [world] = await worlds.list()
    handlers.get('Runtime.bindingCalled')?.({ name: 'kustosSend', payload: '{}', executionContextId: 3 })
    return world?.key
  }
  const first = await listKey()
  loaderId = 'second'
  const second = await listKey()
  expect(second).not.toBe(first)
  expect(senders).toEqual([first, second])
})
