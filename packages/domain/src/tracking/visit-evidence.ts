import type { StoredItem as SeenItem, SeenTcString } from '@kustos/clients/browser'
import type { ConsentSignal, StoredItem, TcfConsent } from '@kustos/contract/tracking'
import { type LoadedResource, readParameter } from './page-snapshot.ts'
import { parseTcString } from './parse-tc-string.ts'

/** Of a visit. */
const maxSignals = 100

/** Google's, as its requests carry them: `G101`, and `13l3l3l2l1` with a letter for each of four purposes. */
const signalFormats = { gcs: /^G\d[\d-]{2,4}$/, gcd: /^\d\d[a-z\d]{6,60}$/i } as const

export const listStored = (stored: readonly SeenItem[]): StoredItem[] =>
  stored.map(({ lifetimeSeconds, setBy, ...item }) => ({ ...item, lifetime: lifetimeSeconds, set_by: setBy }))

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
