import { maxExcerptLength } from '@kustos/contract/tracking'
import { consentSignals } from '@kustos/contract/webs'
import { pause } from '../cooperative.ts'
import {
  codeEvidence,
  type DetectedFinding,
  type Detector,
  type LoadedResource,
  loadEvidence,
  type PageCode,
} from '../page-snapshot.ts'
import {
  fieldsOf,
  itemsOf,
  type ScriptCall,
  type ScriptValue,
  textOf,
  textsOf,
} from '../scripts/script-facts.ts'

/** In all code of a page; more of them are an attack. */
const maxCommands = 500
/** Where the visitors of these webs are. Settings that apply to other countries only do not count. */
const visitorRegion = /^(?:AT|DE|IT|CH)(?:-[A-Z0-9]{1,3})?$/

/**
 * Google's consent mode, as a visitor meets it: the last `default` counts, and one for this region before one for all
 * (https://developers.google.com/tag-platform/security/guides/consent). An `update` follows the visitor's choice, so it
 * says something only of a signal that has no default, neither in the code nor by what Google was told before a choice: a
 * container may set it.
 */
export const consent: Detector = function* ({ codes, loads }) {
  const beforeConsent = loads.filter(({ request }) => request?.phase === 'before')
  const commands: Command[] = []
  for (const code of codes) {
    yield pause
    for (const call of code.facts.calls.filter(isConsentCall).slice(0, maxCommands - commands.length))
      commands.push({ call, code, settings: call.args[2], rank: rankCommand(call) })
  }
  for (const signal of consentSignals) {
    yield pause
    let found: (DetectedFinding & { readonly rank: number }) | null = null
    for (const { call, code, settings, rank } of commands) {
      const [value = ''] = fieldsOf(settings, signal).flatMap((field) => textOf(field) ?? [])
      if (!states.has(value) || rank === 0 || (found !== null && rank < found.rank)) continue
      found = { topic: signal, value, evidence: codeEvidence(code, call, maxExcerptLength), rank }
    }
    const hasDefault = found !== null && found.rank > updateRank
    const [observed] = hasDefault ? [] : [...readGcdState(signal, beforeConsent)]
    if (observed !== undefined) yield observed
    else if (found !== null) {
      const { rank: _, ...known } = found
      yield known
    }
  }
}

const states = new Set(['granted', 'denied'])

interface Command {
  readonly call: ScriptCall
  readonly code: PageCode
  readonly settings: ScriptValue | undefined
  readonly rank: number
}

const isConsentCall = ({ name, args: [command, kind] }: ScriptCall): boolean =>
  (name === 'gtag' || name === '__gtagTracker') &&
  textsOf(command).includes('consent') &&
  textsOf(kind).some((text) => text === 'default' || text === 'update')

const updateRank = 1

function rankCommand({ args: [, kind, settings] }: ScriptCall): number {
  if (textOf(kind) === 'update') return updateRank
  const regions = fieldsOf(settings, 'region').flatMap(itemsOf).flatMap(textsOf)
  if (regions.length === 0) return 2
  return regions.some((region) => visitorRegion.test(region)) ? 3 : 0
}

/**
 * Google's own script reports the state before a visitor has chosen: its parameter `gcd` has a letter for each signal,
 * in this order (not documented by Google; https://pietromingotti.com/consent-mode-parameters).
 */
const gcdSignals = ['ad_storage', 'analytics_storage', 'ad_user_data', 'ad_personalization'] as const
const gcdStates: Readonly<Record<string, string>> = {
  p: 'denied',
  q: 'denied',
  r: 'denied',
  t: 'granted',
  u: 'granted',
  v: 'granted',
}

function* readGcdState(
  signal: (typeof consentSignals)[number],
  loads: readonly LoadedResource[],
): Iterable<DetectedFinding> {
  for (const load of loads) {
    const letters = /^1\d([a-z])\d([a-z])\d([a-z])\d([a-z])/.exec(load.url.searchParams.get('gcd') ?? '')
    const value = gcdStates[letters?.[gcdSignals.indexOf(signal) + 1] ?? '']
    if (value !== undefined) return yield { topic: signal, value, evidence: loadEvidence(load) }
  }
}
