import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import type { ConsentAction } from './browser.ts'
import { answerConsent, buttonSelector, callManager, findConsentWay, pressIn, toManager } from './consent.ts'
import { knownOpeners, openerLabels } from './consent-buttons.ts'
import { digestStorage, settleMs } from './digest-storage.ts'
import type { OpenedPage } from './run-phase.ts'
import { nullUnlessGone } from './visit-limits.ts'

/** Waits for settings that appear after they were opened. */
const openRetries = 4
const openRetryMs = 500

/**
 * Withdraws consent that was given: by the manager's function, or by its banner or settings, which are opened again.
 * Returns how, or null if there is no way. A function that leaves storage unchanged was not the right one, so the
 * settings are opened then; a button that leaves it unchanged has ignored the visitor.
 * @throws Playwright's errors if the page is closed
 */
export async function withdrawConsent(opened: OpenedPage): Promise<ConsentAction | null> {
  const before = await digestStorage(opened)
  const called = await callManager(opened.page, 'refuse', false)
  if (called !== null) {
    await sleep(settleMs)
    if ((await digestStorage(opened)) !== before) return called
  }
  const withdrawn = await refuseAgain(opened)
  if (withdrawn === null) return null
  await sleep(settleMs)
  return withdrawn.way === 'call' && (await digestStorage(opened)) === before ? null : withdrawn
}

async function refuseAgain(opened: OpenedPage): Promise<ConsentAction | null> {
  const manager = await openSettings(opened.page)
  if (manager === undefined) return null
  const { page, instruments } = opened
  const consentPage = { page, autoconsent: instruments.autoconsent }
  for (let attempt = 0; attempt < openRetries; attempt++) {
    await sleep(openRetryMs)
    if ((await findConsentWay(consentPage, 'refuse')) === null) continue
    const refused = await answerConsent(consentPage, 'refuse')
    if (refused !== null) return { ...refused, manager: refused.manager ?? manager }
  }
  return null
}

/** Opens the banner or its settings. Returns the manager or null for an unknown one, and undefined if there is no way. */
async function openSettings(page: Page): Promise<string | null | undefined> {
  const called = await page.evaluate(callOpener).catch(nullUnlessGone(page))
  if (called !== null) return toManager(called)
  const selectors = [buttonSelector, ...knownOpeners.map(({ selector }) => selector)].join(', ')
  const options = { isDryRun: false, buttonSelector, known: knownOpeners, labels: openerLabels }
  return (await pressIn(page, selectors, options))?.manager
}

/** Runs within the page without access to this module, and calls the documented functions that open a manager's settings. */
function callOpener(): string | null {
  type Objects = {
    readonly [name: string]: Objects | ((...parameters: readonly unknown[]) => unknown) | undefined
  }
  const openers: readonly (readonly [
    manager: string,
    path: readonly string[],
    parameters: readonly unknown[],
  ])[] = [
    ['iubenda', ['_iub', 'cs', 'api', 'openPreferences'], []],
    ['Axeptio', ['openAxeptioCookies'], []],
    ['Osano', ['Osano', 'cm', 'showDrawer'], ['osano-cm-dom-info-dialog-open']],
    ['Termly', ['displayPreferenceModal'], []],
    ['CCM19', ['CCM', 'openWidget'], []],
    ['TrustArc', ['truste', 'eu', 'clickListener'], []],
    // Part of the framework of IAB Europe, so that other managers have it as well.
    ['Quantcast Choice', ['__tcfapi'], ['displayConsentUi', 2, () => undefined]],
  ]
  for (const [manager, path, parameters] of openers) {
    try {
      let holder: unknown
      let at: unknown = globalThis
      for (const name of path) {
        holder = at
        at = (at as Objects)[name]
      }
      if (typeof at !== 'function') continue
      at.apply(holder, parameters)
      return manager
    } catch {
      // The page has other objects of that name, or its function throws.
    }
  }
  return null
}
