import type { Frame, Page } from 'playwright-core'
import type { Choice } from './browser.ts'
import { buttons, labels } from './consent-buttons.ts'

export type ConsentAnswer = 'refuse' | 'accept'

/** Frames that are searched for a banner. */
const mostFrames = 10

/**
 * Refuses or accepts consent by a known manager's function, by its button, or by a banner's button with a German, English
 * or Italian label. Searches open shadow roots and frames. Returns how, or null if there is no way.
 * @param isOnlyAsked finds the way without using it
 * @throws Playwright's errors if the page is closed
 */
export async function choose(page: Page, wish: ConsentAnswer, isOnlyAsked = false): Promise<Choice | null> {
  const called = await page.evaluate(callManager, { wish, isOnlyAsked })
  if (called !== null) return { manager: called, way: 'call' }
  const asked = { wish, isOnlyAsked, known: buttons, said: labels[wish] }
  for (const frame of page.frames().slice(0, mostFrames)) {
    const pressed = await inFrame(frame, asked)
    if (pressed !== null) return { manager: pressed.manager, way: 'button' }
  }
  return null
}

type Asked = Parameters<typeof pressButton>[0]

/** A frame may be detached in the meantime, but not the page itself. */
async function inFrame(frame: Frame, asked: Asked): Promise<ReturnType<typeof pressButton>> {
  try {
    return await frame.evaluate(pressButton, asked)
  } catch (error) {
    if (frame.parentFrame() === null) throw error
    return null
  }
}

/** A value of a page. */
type Unknown = Readonly<Record<string, ((...given: readonly unknown[]) => unknown) | undefined>> | undefined

/**
 * Runs within the page without access to this module. Uses the documented functions of Usercentrics (versions 3, 2 and 1),
 * Cookiebot, OneTrust, Didomi, Klaro, consentmanager and Complianz.
 */
async function callManager({
  wish,
  isOnlyAsked,
}: {
  readonly wish: ConsentAnswer
  readonly isOnlyAsked: boolean
}): Promise<string | null> {
  const page = globalThis as unknown as Readonly<Record<string, unknown>>
  const at = (name: string) => page[name] as Unknown
  const isYes = wish === 'accept'
  const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
  // Usercentrics accepts no choice before it is initialized.
  for (let tries = 0; tries < 10 && at('UC_UI')?.isInitialized?.() === false; tries++) await wait(300)

  const named = (name: string, yes: string, no: string) => () => {
    const made = at(name)?.[isYes ? yes : no]
    return typeof made === 'function' ? () => made.call(page[name]) : null
  }
  const ways: readonly (readonly [manager: string, way: () => (() => unknown) | null])[] = [
    ['Usercentrics', named('__ucCmp', 'acceptAllConsents', 'denyAllConsents')],
    ['Usercentrics', named('UC_UI', 'acceptAllConsents', 'denyAllConsents')],
    [
      'Usercentrics',
      named('usercentrics', 'acceptAllConsentsAndCloseInitialView', 'denyAllConsentsAndCloseInitialView'),
    ],
    [
      'Cookiebot',
      () => {
        const submit = at('Cookiebot')?.submitCustomConsent
        return submit === undefined ? null : () => submit.call(page.Cookiebot, isYes, isYes, isYes)
      },
    ],
    ['OneTrust', named('OneTrust', 'AllowAll', 'RejectAll')],
    ['Didomi', named('Didomi', 'setUserAgreeToAll', 'setUserDisagreeToAll')],
    [
      'Klaro',
      () => {
        const get = at('klaro')?.getManager
        return get === undefined
          ? null
          : () => {
              const manager = get.call(page.klaro) as Unknown
              manager?.changeAll?.(isYes)
              manager?.saveAndApplyConsents?.()
            }
      },
    ],
    [
      'consentmanager',
      () => {
        const ask = page.__cmp
        return typeof ask === 'function' && 'cmp_id' in page ? () => ask('setConsent', isYes ? 1 : 0) : null
      },
    ],
    [
      'Complianz',
      () => {
        const made = page[isYes ? 'cmplz_accept_all' : 'cmplz_deny_all']
        return typeof made === 'function' ? () => made() : null
      },
    ],
  ]
  for (const [manager, way] of ways) {
    try {
      const go = way()
      if (go === null) continue
      // The choice was made even if the function does not return in time.
      if (!isOnlyAsked) await Promise.race([go(), wait(3_000)])
      return manager
    } catch {
      // A page's function may throw; the other ways remain.
    }
  }
  return null
}

interface Element {
  readonly parentElement: Element | null
  readonly shadowRoot: Root | null
  readonly textContent: string | null
  readonly value?: unknown
  readonly isConnected: boolean
  getAttribute(name: string): string | null
  getClientRects(): { readonly length: number }
  getRootNode(): { readonly host?: Element }
  click(): void
}

interface Root {
  querySelectorAll(selector: string): ArrayLike<Element>
}

/** Runs within a frame without access to this module. */
function pressButton({
  wish,
  isOnlyAsked,
  known,
  said,
}: {
  readonly wish: ConsentAnswer
  readonly isOnlyAsked: boolean
  readonly known: typeof buttons
  readonly said: readonly string[]
}): { readonly manager: string | null } | null {
  const page = globalThis as unknown as { readonly document: Root & { readonly body: Element | null } }
  const [mostElements, mostRoots, mostAncestors, longestBanner] = [20_000, 100, 10, 6_000]
  const roots: Root[] = [page.document]
  let seen = 0
  for (let index = 0; index < roots.length && roots.length < mostRoots; index++) {
    for (const element of Array.from(roots[index]?.querySelectorAll('*') ?? [])) {
      seen += 1
      if (seen > mostElements) break
      if (element.shadowRoot !== null) roots.push(element.shadowRoot)
    }
  }
  const shown = (selector: string) =>
    roots
      .flatMap((root) => Array.from(root.querySelectorAll(selector)))
      .filter((element) => element.getClientRects().length > 0)
  const press = (element: Element) => {
    if (!isOnlyAsked) element.click()
  }

  for (const { manager, ...selectors } of known) {
    const [button] = shown(selectors[wish])
    if (button === undefined) continue
    press(button)
    return { manager }
  }

  const above = (element: Element) => element.parentElement ?? element.getRootNode().host ?? null
  const isInBanner = (button: Element) => {
    let at = above(button)
    for (let level = 0; at !== null && at !== page.document.body && level < mostAncestors; level++) {
      const text = (at.textContent ?? '').slice(0, longestBanner + 1)
      if (text.length > longestBanner) return false
      if (/cookie|consent|einwillig|zustimm|datenschutz|privacy|tracking|dsgvo|gdpr/i.test(text)) return true
      at = above(at)
    }
    return false
  }
  const labelOf = (element: Element) =>
    (element.textContent?.trim() || String(element.value ?? '') || element.getAttribute('aria-label') || '')
      .slice(0, 200)
      .toLowerCase()
      .replace(/[\s ]+/g, ' ')
      .replace(/[^\p{L}\p{N}]+$|^[^\p{L}\p{N}]+/gu, '')
  const candidates = shown('button, a, [role="button"], input[type="button"], input[type="submit"]')
  for (const label of said) {
    const button = candidates.slice(0, 2_000).find((one) => labelOf(one) === label && isInBanner(one))
    if (button === undefined) continue
    press(button)
    return { manager: null }
  }
  return null
}
