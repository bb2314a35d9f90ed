import { EventEmitter } from 'node:events'
import { onTestFinished } from 'vitest'
import { type BrowserSettings, openBrowser } from '../src/browser/index.ts'

/**
 * Opens a browser whose visits never get a context, and whose documents do.
 * @param local the address at which visits have their proxies
 */
export function openHangingBrowser(settings: Partial<BrowserSettings> = {}, local = '127.0.0.1') {
  const state = { processes: 0, ended: 0, printed: 0 }
  const page = {
    goto: async () => null,
    pdf: async () => {
      state.printed += 1
      return Buffer.from('%PDF-')
    },
  }
  const process = Object.assign(new EventEmitter(), {
    isConnected: (): boolean => true,
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
      link: { local, remote: local },
      begun: 0,
      active: 0,
      end: async () => {
        state.ended += 1
      },
    }
  }
  const browser = openBrowser({ executable: '/nowhere', atOnce: 1, sandbox: 'optional', ...settings }, launch)
  onTestFinished(() => browser.close())
  return { browser, state, page, process }
}
