import type { StoredItem as SeenItem, SeenTcString } from '@kustos/clients/browser'
import { findStorageOwner } from '@kustos/contract/tracker-storage'
import type { ConsentSignal, RequestedHost, StoredItem, TcfConsent } from '@kustos/contract/tracking'
import { hostOfStored, judgeStored, type TrackingPolicy } from '../third-parties/index.ts'
import { type LoadedResource, readParameter } from './page-snapshot.ts'
import { parseTcString } from './parse-tc-string.ts'

/** Of a visit. */
const maxSignals = 100

/** Google's, as its requests carry them: `G101`, and `13l3l3l2l1` with a letter for each of four purposes. */
const signalFormats = { gcs: /^G\d[\d-]{2,4}$/, gcd: /^\d\d[a-z\d]{6,60}$/i } as const

/** Lists what a page has stored, and judges what belongs to a known tracker. @param asked what it has requested */
export const listStored = (
  stored: readonly SeenItem[],
  asked: readonly RequestedHost[],
  policy: TrackingPolicy,
): StoredItem[] =>
  stored.map(({ lifetimeSeconds, setBy, ...seen }) => {
    const item = { ...seen, lifetime: lifetimeSeconds, set_by: setBy }
    const owner = findStorageOwner(item)
    if (owner === null) return item
    const owned = { ...item, ...owner }
    return { ...owned, verdict: judgeStored(policy, { ...owned, host: hostOfStored(owned, asked) }) }
  })

/** Returns the consent states that requests carried, each once for a phase and host. */
export function listConsentSignals(loads: readonly LoadedResource[]): ConsentSignal[] {
  const signals = new Map<string, ConsentSignal>()
  for (const load of loads) {
    if (load.request === undefined) continue
    for (const signal of ['gcs', 'gcd'] as const) {
      const value = readParameter(load, signal)
      if (value === null || !signalFormats[signal].test(value) || signals.size >= maxSignals) continue
      const { phase } = load.request
      const { hostname: host } = load.url
      signals.set([phase, host, signal, value].join(' '), { phase, host, signal, value })
    }
  }
  return [...signals.values()]
}

export const parseTcStrings = (seen: readonly SeenTcString[]): TcfConsent[] =>
  seen.flatMap(({ phase, tcString }) => {
    const parsed = parseTcString(tcString)
    return parsed === null ? [] : [{ phase, tc_string: tcString, ...parsed }]
  })
