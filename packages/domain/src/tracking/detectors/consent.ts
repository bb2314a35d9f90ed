import { maxExcerptLength } from '@kustos/contract/tracking'
import { consentSignals } from '@kustos/contract/webs'
import { type CooperativeTask, pause } from '../cooperative.ts'
import {
  codeEvidence,
  type DetectedFinding,
  type Detector,
  type LoadedResource,
  loadEvidence,
  matches,
  objectText,
  type PageCode,
  textToBrace,
} from '../page-snapshot.ts'

const command = /\bgtag\s*\(\s*["'`]consent["'`]\s*,\s*["'`](default|update)["'`]\s*,\s*/g
/** Follows it: an object of settings, several that are joined, or the name of a variable. */
const commandSettings = /(\{)|Object\.assign\s{0,5}\(|([A-Za-z_$][\w$]{0,60})\s{0,5}[,)]/y
/** In all code of a page; more of them are an attack. */
const maxCommands = 500
/** In characters, of settings that are joined. */
const maxJoinedLength = 2_000
const regionList = /["']?region["']?\s*:\s*\[([^\]]{0,1000})\]/
/** Where the visitors of these webs are. Settings that apply to other countries only do not count. */
const visitorRegions = /["'](?:AT|DE|IT|CH)(?:-[A-Z0-9]{1,3})?["']/

/**
 * Google's consent mode, as a visitor meets it: the last `default` counts, and one for this region before one for all
 * (https://developers.google.com/tag-platform/security/guides/consent). An `update` follows the visitor's choice, so it
 * says something only of a signal that has no default.
 */
export const consent: Detector = function* ({ codes, loads }) {
  const beforeConsent = loads.filter(({ request }) => request?.phase === 'before')
  const commands: Command[] = []
  for (const code of codes) {
    yield pause
    for (const match of (yield* matches(code, command)).slice(0, maxCommands - commands.length)) {
      const settings = yield* settingsAfter(code, match.index + match[0].length)
      if (settings !== undefined)
        commands.push({ match, code, settings, rank: rankCommand(match[1], settings) })
    }
  }
  for (const signal of consentSignals) {
    yield pause
    const state = new RegExp(String.raw`\b${signal}["']?\s*:\s*["'\`](granted|denied)["'\`]`)
    let found: (DetectedFinding & { readonly rank: number }) | null = null
    for (const { match, code, settings, rank } of commands) {
      const value = state.exec(settings)?.[1]
      if (value === undefined || rank === 0 || (found !== null && rank < found.rank)) continue
      found = { topic: signal, value, evidence: codeEvidence(code, match, maxExcerptLength), rank }
    }
    if (found !== null) {
      const { rank: _, ...known } = found
      yield known
    } else yield* readGcdState(signal, beforeConsent)
  }
}

interface Command {
  readonly match: RegExpExecArray
  readonly code: PageCode
  readonly settings: string
  readonly rank: number
}

function* settingsAfter(code: PageCode, start: number): CooperativeTask<string | undefined> {
  commandSettings.lastIndex = start
  const match = commandSettings.exec(code.text)
  if (match === null) return undefined
  const [all, brace, name] = match
  if (name !== undefined) return yield* objectText(code, name)
  const from = start + all.length
  if (brace !== undefined) return textToBrace(code, from)
  return code.text.slice(from, from + maxJoinedLength).split(')', 1)[0]
}

function rankCommand(kind: string | undefined, settings: string): number {
  if (kind === 'update') return 1
  const regions = regionList.exec(settings)?.[1]
  if (regions === undefined) return 2
  return visitorRegions.test(regions) ? 3 : 0
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
