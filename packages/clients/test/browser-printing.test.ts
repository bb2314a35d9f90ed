import { EventEmitter } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { openBrowser } from '../src/browser/index.ts'

/** A process whose visits never get a context, and whose documents do. */
function openHangingBrowser() {
  const state = { processes: 0, ended: 0, printed: 0 }
  const page = {
    goto: async () => null,
    pdf: async () => {
      state.printed += 1
      return Buffer.from('%PDF-')
    },
  }
  const process = Object.assign(new EventEmitter(), {
    isConnected: () => true,
    version: () => '140.0',
    newContext: ({ javaScriptEnabled }: { readonly javaScriptEnabled?: boolean }) =>
      javaScriptEnabled === false
        ? Promise.resolve({ newPage: async () => page, route: async () => null, close: async () => null })
        : new Promise(() => undefined),
  })
  const launch = async () => {
    state.processes += 1
    return {
      process: process as never,
      link: { local: '127.0.0.1', remote: '127.0.0.1' },
      begun: 0,
      active: 0,
      end: async () => {
        state.ended += 1
      },
    }
  }
  const browser = openBrowser({ executable: '/nowhere', atOnce: 1, sandbox: 'optional' }, launch)
  onTestFinished(() => browser.close())
  return { browser, state, page }
}

test('a document is printed while visits take all the time that they have', async () => {
  const { browser, state } = openHangingBrowser()
  const visits = [1, 2].map(() => browser.visit('http://hotel.test/', { deadlineMs: 60_000 }))
  expect(await browser.print('<p>Report</p>')).toEqual({ outcome: 'printed', pdf: Buffer.from('%PDF-') })
  expect(state).toEqual({ processes: 1, ended: 0, printed: 1 })
  await browser.close()
  for (const visited of await Promise.all(visits))
    expect(visited).toEqual({ outcome: 'failed', reason: { code: 'stopped' } })
})

test('a document that is stopped does not end the process of others', async () => {
  const { browser, state, page } = openHangingBrowser()
  const stop = new AbortController()
  page.pdf = () => {
    stop.abort()
    return new Promise(() => undefined)
  }
  const printed = await browser.print('<p>Report</p>', stop.signal)
  expect(printed).toEqual({ outcome: 'failed', reason: { code: 'stopped' } })
  page.pdf = async () => Buffer.from('%PDF-')
  expect(await browser.print('<p>Report</p>')).toMatchObject({ outcome: 'printed' })
  expect(state).toMatchObject({ processes: 1, ended: 0 })
})
