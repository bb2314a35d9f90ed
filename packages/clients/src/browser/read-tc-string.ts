import type { BrowserContext } from 'playwright-core'
import type { FrameWorlds } from './frame-worlds.ts'

/** Longer ones are no consent strings. */
const maxLength = 10_000
const timeoutMs = 1_000

/**
 * Returns the consent string of IAB Europe's Transparency and Consent Framework that a page reports by its function
 * (https://github.com/InteractiveAdvertisingBureau/GDPR-Transparency-and-Consent-Framework), or has in its cookie; null if
 * there is none.
 */
export async function readTcString(context: BrowserContext, worlds: FrameWorlds): Promise<string | null> {
  const top = (await worlds.list()).find(({ isTop }) => isTop)
  const reported = await top?.evaluateInPage(`(${askFramework})(${maxLength})`, timeoutMs)
  if (isUsable(reported)) return reported
  const stored = (await context.cookies()).find(({ name }) => name === 'euconsent-v2')?.value
  return isUsable(stored) ? stored : null
}

const isUsable = (text: unknown): text is string =>
  typeof text === 'string' && text !== '' && text.length <= maxLength

type Framework = (
  command: 'getTCData',
  version: 2,
  callback: (data: { readonly tcString?: unknown } | null, isSuccess: boolean) => void,
) => void

/** Runs within the page without access to this module. */
function askFramework(max: number): Promise<string | null> {
  const { __tcfapi: ask } = globalThis as unknown as { readonly __tcfapi?: Framework }
  return new Promise((resolve) => {
    if (typeof ask !== 'function') return resolve(null)
    // Before the manager has loaded, the function keeps questions for it.
    setTimeout(() => resolve(null), 300)
    ask('getTCData', 2, (data, isSuccess) => {
      const text = isSuccess ? data?.tcString : null
      resolve(typeof text === 'string' && text.length <= max ? text : null)
    })
  })
}
