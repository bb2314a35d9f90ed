import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { AutoConsentCMPRule, AutoConsentRuleStep, RuleBundle } from '@duckduckgo/autoconsent'
import { knownButtons, knownOpeners } from './consent-buttons.ts'

/** A rule waits this long for an element; its own limits are for users who do not watch. */
const maxWaitMs = 2_500
/** Of an address that is compared with the rules' patterns. */
const maxUrlLength = 1_000

export interface AutoconsentFiles {
  /** Defines `autoconsentReceiveMessage`, and sends messages to `autoconsentSendMessage`. */
  readonly script: string
  readonly rules: readonly AutoConsentCMPRule[]
}

/** Reads the package's script and rules once, when a browser first needs them. */
export const readAutoconsent = readOnce(readFiles)

/** Remembers what was read, but no failure: too many files may have been open. */
export function readOnce<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let known: Promise<Value> | undefined
  return () => {
    known ??= read().catch((error: unknown) => {
      known = undefined
      throw error
    })
    return known
  }
}

async function readFiles(): Promise<AutoconsentFiles> {
  const { resolve } = createRequire(import.meta.url)
  const script = join(dirname(resolve('@duckduckgo/autoconsent')), 'autoconsent.playwright.js')
  const rules = resolve('@duckduckgo/autoconsent/rules/rules.json')
  const { autoconsent } = JSON.parse(await readFile(rules, 'utf8')) as RuleBundle
  return { script: await readFile(script, 'utf8'), rules: autoconsent.map(adjustRule) }
}

/** Returns the rules for a document, which are a quarter of all. */
export function selectRules(
  rules: readonly AutoConsentCMPRule[],
  { url, isTop }: { readonly url: string; readonly isTop: boolean },
): readonly AutoConsentCMPRule[] {
  const compared = url.slice(0, maxUrlLength)
  return rules.filter(({ runContext: { main = true, frame = false, urlPattern = '' } = {} }) => {
    return (isTop ? main : frame) && (urlPattern === '' || new RegExp(urlPattern).test(compared))
  })
}

/**
 * Rules are written for people who want banners out of their sight. An audit must know whether consent was refused: a
 * step that only hides a banner does not count, and a rule without steps fails.
 */
function adjustRule(rule: AutoConsentCMPRule): AutoConsentCMPRule {
  return { ...rule, optOut: adjustSteps(rule.optOut), optIn: adjustSteps(rule.optIn) }
}

const failingStep: AutoConsentRuleStep = { exists: ':not(*)' }

/** Exported for its test. */
export function adjustSteps(steps: readonly AutoConsentRuleStep[]): AutoConsentRuleStep[] {
  const acting = steps.filter(({ hide }) => hide === undefined)
  return acting.length === 0 ? [failingStep] : acting.map(adjustStep)
}

function adjustStep(step: AutoConsentRuleStep): AutoConsentRuleStep {
  const { timeout = maxWaitMs } = step
  const waits = step.waitFor ?? step.waitForVisible ?? step.waitForThenClick
  return {
    ...step,
    ...(waits !== undefined && { timeout: Math.min(timeout, maxWaitMs) }),
    ...Object.fromEntries(
      (['then', 'else', 'any'] as const).flatMap((key) =>
        step[key] === undefined ? [] : [[key, adjustSteps(step[key])]],
      ),
    ),
  }
}

/** The products behind the rules, by the name of the rule in lower case. */
const managers: Readonly<Record<string, string>> = {
  'usercentrics-api': 'Usercentrics',
  'usercentrics-button': 'Usercentrics',
  cybotcookiebot: 'Cookiebot',
  onetrust: 'OneTrust',
  didomi: 'Didomi',
  'consentmanager.net': 'consentmanager',
  'consentmanager-ncmp': 'consentmanager',
  'complianz banner': 'Complianz',
  // The library of Insites, which Complianz once used.
  'complianz categories': 'Cookie Consent',
  'complianz optin': 'Cookie Consent',
  'complianz opt-out': 'Cookie Consent',
  borlabs: 'Borlabs Cookie',
  cookieyes: 'CookieYes',
  'cookie-law-info': 'CookieYes',
  quantcast: 'Quantcast Choice',
  'trustarc-top': 'TrustArc',
  'trustarc-newcm': 'TrustArc',
  osano: 'Osano',
  'cookiefirst.com': 'CookieFirst',
  'cookie information banner': 'Cookie Information',
  axeptio: 'Axeptio',
  'tarteaucitron deny': 'tarteaucitron.js',
  'real-cookie-banner': 'Real Cookie Banner',
  'sourcepoint-frame': 'Sourcepoint',
  'funding-choices': 'Google Funding Choices',
  cookiehub: 'CookieHub',
  'cookie-script': 'CookieScript',
  cookieconsent2: 'CookieConsent',
  cookieconsent3: 'CookieConsent',
  moove: 'GDPR Cookie Compliance',
  'eu-cookie-compliance-banner': 'EU Cookie Compliance',
  'civic-cookie-control': 'Civic Cookie Control',
  'wp cookie notice for gdpr': 'WP Cookie Notice',
}

/** The names of the managers that are known by more than a rule of autoconsent. */
export const knownManagers: readonly string[] = [
  ...Object.values(managers),
  ...[...knownButtons, ...knownOpeners].map(({ manager }) => manager),
]

/** Returns the product's name; null for a rule that was generated for one website. */
export function managerOf(rule: string): string | null {
  return rule.startsWith('auto_') ? null : (managers[rule.toLowerCase()] ?? rule)
}
