import type { Page } from 'playwright-core'
import type { Autoconsent } from './autoconsent.ts'
import type { ConsentAction } from './browser.ts'
import { buttonLabels, knownButtons } from './consent-buttons.ts'
import { isPageGone, nullUnlessGone } from './visit-limits.ts'

export type ConsentAnswer = 'refuse' | 'accept'

/** Longer than all names that are known. */
const maxManagerLength = 100
/** Frames that are searched for a banner. */
const maxFrames = 10
export const buttonSelector = 'button, a, [role="button"], input[type="button"], input[type="submit"]'

interface ConsentPage {
  readonly page: Page
  readonly autoconsent: Autoconsent
}

/**
 * Refuses or accepts consent by autoconsent's rule for the visible banner, by a known manager's function, by its button, or
 * by a banner's button with a German, English or Italian label. Searches open shadow roots and frames. Rules press what a
 * visitor presses and refuse best; they are written to refuse, so that functions come first to accept.
 * Returns how, or null if there is no way.
 * @throws Playwright's errors if the page is closed
 */
export async function answerConsent(
  { page, autoconsent }: ConsentPage,
  answer: ConsentAnswer,
): Promise<ConsentAction | null> {
  const byRule = () => autoconsent.answer(answer)
  const byFunction = () => callManager(page, answer, false)
  const [first, second] = answer === 'refuse' ? [byRule, byFunction] : [byFunction, byRule]
  return (await first()) ?? (await second()) ?? (await pressBanner(page, answer, false))
}

/** Refuses or accepts consent by the visible banner alone. Returns how, or null if there is no way. */
export const answerBanner = async (
  { page, autoconsent }: ConsentPage,
  answer: ConsentAnswer,
): Promise<ConsentAction | null> =>
  (await autoconsent.answer(answer)) ?? (await pressBanner(page, answer, false))

/** Returns how consent could probably be answered, without doing so. @throws Playwright's errors if the page is closed */
export async function findConsentWay(
  { page, autoconsent }: ConsentPage,
  answer: ConsentAnswer,
): Promise<ConsentAction | null> {
  await autoconsent.search()
  return (
    autoconsent.findBanner() ??
    (await callManager(page, answer, true)) ??
    (await pressBanner(page, answer, true))
  )
}

/** @param isDryRun finds the button without pressing it */
async function pressBanner(
  page: Page,
  answer: ConsentAnswer,
  isDryRun: boolean,
): Promise<ConsentAction | null> {
  const known = knownButtons.map((button) => ({ manager: button.manager, selector: button[answer] }))
  const selectors = [buttonSelector, ...known.map(({ selector }) => selector)].join(', ')
  const options = { isDryRun, buttonSelector, known, labels: buttonLabels[answer] }
  const pressed = await pressIn(page, selectors, options)
  return pressed === null ? null : { manager: pressed.manager, way: 'button' }
}

/** Presses the first suitable button in the page or its frames. */
export async function pressIn(
  page: Page,
  selectors: string,
  options: ButtonOptions,
): Promise<{ readonly manager: string | null } | null> {
  for (const frame of page.frames().slice(0, maxFrames)) {
    try {
      const pressed = await frame.locator(selectors).evaluateAll(pressButton, options)
      if (pressed !== null) return { manager: toManager(pressed.manager) }
    } catch (error) {
      // A frame may be detached in the meantime, but not the page itself.
      if (frame.parentFrame() === null && isPageGone(page, error)) throw error
    }
  }
  return null
}

/**
 * Calls the documented function of a consent manager; null if there is none.
 * @param isDryRun finds it without calling it
 */
export async function callManager(
  page: Page,
  answer: ConsentAnswer,
  isDryRun: boolean,
): Promise<ConsentAction | null> {
  const manager = await page.evaluate(callInPage, { answer, isDryRun }).catch(nullUnlessGone(page))
  return manager === null ? null : { manager: toManager(manager), way: 'call' }
}

/** Returns the name that a function within the page has returned, which the page may falsify; null if it is none. */
export const toManager = (name: unknown): string | null =>
  typeof name === 'string' ? name.slice(0, maxManagerLength) : null

type Method = (...parameters: readonly unknown[]) => unknown

/** Runs within the page without access to this module. Usercentrics is there in its versions 3, 2 and 1. */
async function callInPage({
  answer,
  isDryRun,
}: {
  readonly answer: ConsentAnswer
  readonly isDryRun: boolean
}): Promise<string | null> {
  const page = globalThis as unknown as Readonly<Record<string, unknown>>
  const isYes = answer === 'accept'
  const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
  const methodOf = (object: unknown, name: string, ...parameters: readonly unknown[]) => {
    const method = (object as Readonly<Record<string, Method | undefined>> | undefined)?.[name]
    return typeof method === 'function' ? () => method.apply(object, [...parameters]) : null
  }
  // Usercentrics accepts no choice before it is initialized.
  try {
    for (let tries = 0; tries < 10 && methodOf(page.UC_UI, 'isInitialized')?.() === false; tries++)
      await wait(300)
  } catch {
    // The other ways remain.
  }

  const usercentrics = isYes ? 'acceptAllConsents' : 'denyAllConsents'
  const ways: readonly (readonly [manager: string, way: () => (() => unknown) | null])[] = [
    ['Usercentrics', () => methodOf(page.__ucCmp, usercentrics)],
    ['Usercentrics', () => methodOf(page.UC_UI, usercentrics)],
    ['Usercentrics', () => methodOf(page.usercentrics, `${usercentrics}AndCloseInitialView`)],
    ['Cookiebot', () => methodOf(page.Cookiebot, 'submitCustomConsent', isYes, isYes, isYes)],
    ['OneTrust', () => methodOf(page.OneTrust, isYes ? 'AllowAll' : 'RejectAll')],
    ['Didomi', () => methodOf(page.Didomi, isYes ? 'setUserAgreeToAll' : 'setUserDisagreeToAll')],
    [
      'Klaro',
      () => {
        const getManager = methodOf(page.klaro, 'getManager')
        return getManager === null
          ? null
          : () => {
              const manager = getManager()
              methodOf(manager, 'changeAll', isYes)?.()
              methodOf(manager, 'saveAndApplyConsents')?.()
            }
      },
    ],
    [
      'consentmanager',
      () => ('cmp_id' in page ? methodOf(page, '__cmp', 'setConsent', isYes ? 1 : 0) : null),
    ],
    ['Complianz', () => methodOf(page, isYes ? 'cmplz_accept_all' : 'cmplz_deny_all')],
    ['CookieYes', () => methodOf(page, 'performBannerAction', isYes ? 'accept_all' : 'reject')],
    ['CookieFirst', () => methodOf(page.CookieFirst, isYes ? 'acceptAllCategories' : 'declineAllCategories')],
    [
      'Cookie Information',
      () => methodOf(page.CookieInformation, isYes ? 'submitAllCategories' : 'declineAllCategories'),
    ],
    [
      'tarteaucitron.js',
      () => {
        const { userInterface } = (page.tarteaucitron ?? {}) as { readonly userInterface?: object }
        return methodOf(userInterface, 'respondAll', isYes)
      },
    ],
  ]
  for (const [manager, way] of ways) {
    try {
      const call = way()
      if (call === null) continue
      const leaving = new Promise((resolve) =>
        methodOf(page, 'addEventListener', 'beforeunload', resolve)?.(),
      )
      // The choice was made even if the function does not return in time, or loads the page anew.
      if (!isDryRun) await Promise.race([call(), leaving, wait(3_000)])
      return manager
    } catch {
      // A page's function may throw; the other ways remain.
    }
  }
  return null
}

/** The members of DOM elements that are used. */
interface Element {
  readonly parentElement: Element | null
  readonly textContent: string | null
  readonly value?: unknown
  readonly tagName: string
  matches(selector: string): boolean
  getAttribute(name: string): string | null
  getClientRects(): { readonly length: number }
  getRootNode(): object
  click?(): void
}

interface ButtonOptions {
  readonly isDryRun: boolean
  readonly buttonSelector: string
  readonly known: readonly { readonly manager: string; readonly selector: string }[]
  /** Of buttons inside of a banner. */
  readonly labels: readonly RegExp[]
}

/** Runs within a frame without access to this module. @param elements in open shadow roots as well */
function pressButton(
  elements: readonly Element[],
  { isDryRun, buttonSelector: selector, known, labels }: ButtonOptions,
): { readonly manager: string | null } | null {
  const [maxButtons, maxAncestors, maxBannerLength] = [2_000, 10, 6_000]
  const shown = elements.filter((element) => element.getClientRects().length > 0)
  const parentOf = (element: Element) =>
    element.parentElement ?? (element.getRootNode() as { readonly host?: Element }).host ?? null
  const isInBanner = (button: Element) => {
    let at = parentOf(button)
    for (let level = 0; at !== null && at.tagName !== 'BODY' && level < maxAncestors; level++) {
      const text = (at.textContent ?? '').slice(0, maxBannerLength + 1)
      if (text.length > maxBannerLength) return false
      if (/cookie|consent|einwillig|zustimm|datenschutz|privacy|tracking|dsgvo|gdpr/i.test(text)) return true
      at = parentOf(at)
    }
    return false
  }
  const labelOf = (element: Element) =>
    (element.textContent?.trim() || String(element.value ?? '') || element.getAttribute('aria-label') || '')
      .slice(0, 200)
      .toLowerCase()
      .replace(/[\s ]+/g, ' ')
      .replace(/[^\p{L}\p{N}]+$|^[^\p{L}\p{N}]+/gu, '')
  const labelled = shown
    .filter((element) => element.matches(selector))
    .slice(0, maxButtons)
    .map((element) => ({ element, label: labelOf(element) }))
  const candidates = [
    ...known.map((button) => ({
      manager: button.manager,
      find: () => shown.find((element) => element.matches(button.selector)),
    })),
    ...labels.map((pattern) => ({
      manager: null,
      find: () => labelled.find(({ element, label }) => pattern.test(label) && isInBanner(element))?.element,
    })),
  ]
  for (const { manager, find } of candidates) {
    const button = find()
    if (button === undefined) continue
    if (!isDryRun) button.click?.()
    return { manager }
  }
  return null
}
