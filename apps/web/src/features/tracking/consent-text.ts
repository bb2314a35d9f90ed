import {
  type ConsentSignal,
  isImpossible,
  type StoredItem,
  type TcfConsent,
  type TrackingVisit,
} from '@kustos/contract/tracking'
import type { TFunction } from 'i18next'

/**
 * Which choices a visit has made, and whether there was no way to make the others.
 * @param isComplete whether its audit could check everything
 */
export function choicesText(visit: TrackingVisit, isComplete: boolean, t: TFunction): string {
  const { accepted, withdrawn } = visit
  const text = answersText(visit, isComplete, t)
  // Older releases did not withdraw.
  if (accepted === null || withdrawn === undefined) return text
  if (withdrawn !== null) return `${text} · ${t('tracking.evidence.withdrawn')}`
  const isUntried = !isImpossible(visit, 'withdrawn', isComplete)
  return `${text} · ${t(isUntried ? 'tracking.evidence.withdrawalUntested' : 'tracking.evidence.notWithdrawn')}`
}

function answersText(visit: TrackingVisit, isComplete: boolean, t: TFunction): string {
  const { refused, accepted } = visit
  const mayAccept = !isImpossible(visit, 'accepted', isComplete)
  if (refused === null && accepted === null)
    return t(
      mayAccept || !isImpossible(visit, 'refused', isComplete)
        ? 'tracking.visit.untested'
        : 'tracking.visit.noBanner',
    )
  const manager = (refused ?? accepted)?.manager ?? t('tracking.visit.banner')
  if (refused === null) return t('tracking.visit.noRefusal', { manager })
  if (accepted !== null) return t('tracking.visit.both', { manager })
  return t(mayAccept ? 'tracking.visit.acceptUntested' : 'tracking.visit.refusedOnly', { manager })
}

const purposes = ['ad_storage', 'analytics_storage', 'ad_user_data', 'ad_personalization'] as const
type State = 'granted' | 'denied' | 'unset'

/** The letters of `gcd`: the default and its update in one. */
const gcdStates: Readonly<Record<string, State>> = {
  l: 'unset',
  m: 'denied',
  n: 'granted',
  p: 'denied',
  q: 'denied',
  r: 'granted',
  t: 'granted',
  u: 'denied',
  v: 'granted',
}
const gcsStates: Readonly<Record<string, State>> = { '0': 'denied', '1': 'granted' }

/** Returns each purpose's state by the signal's letters; a letter that is not known counts as not set. */
function readStates({ signal, value }: ConsentSignal): readonly (readonly [purpose: string, state: State])[] {
  const letters =
    signal === 'gcs' ? [...value.slice(2)].slice(0, 2) : (value.slice(2).match(/[a-z]/gi) ?? []).slice(0, 4)
  const states = signal === 'gcs' ? gcsStates : gcdStates
  return letters.map((letter, index) => [purposes[index] ?? '', states[letter] ?? 'unset'])
}

/** A signal in words, such as "denied: ad_storage, analytics_storage". */
export function signalText(signal: ConsentSignal, t: TFunction): string {
  const states = readStates(signal)
  return (['granted', 'denied', 'unset'] as const)
    .flatMap((state) => {
      const names = states.filter(([, one]) => one === state).map(([purpose]) => purpose)
      return names.length === 0 ? [] : [`${t(`tracking.evidence.states.${state}`)}: ${names.join(', ')}`]
    })
    .join('; ')
}

/** The signals of a phase in words, with the hosts that received them. `gcd` says all that `gcs` says. */
export function listSignalTexts(
  signals: readonly ConsentSignal[],
  t: TFunction,
): readonly { readonly text: string; readonly hosts: readonly string[] }[] {
  const detailed = new Set(signals.filter(({ signal }) => signal === 'gcd').map(({ host }) => host))
  const texts = new Map<string, Set<string>>()
  for (const signal of signals) {
    if (signal.signal === 'gcs' && detailed.has(signal.host)) continue
    const text = signalText(signal, t)
    texts.set(text, (texts.get(text) ?? new Set()).add(signal.host))
  }
  return [...texts].map(([text, hosts]) => ({ text, hosts: [...hosts] }))
}

export const tcfText = (
  { cmp_id: cmp, cmp_version: version, purposes, legitimate_interests: interests, vendors }: TcfConsent,
  t: TFunction,
): string =>
  t('tracking.evidence.tcf', {
    purposes: t('tracking.evidence.purposes', { count: purposes.length }),
    vendors: t('tracking.evidence.vendors', { count: vendors }),
    interests: t('tracking.evidence.purposes', { count: interests.length }),
    cmp,
    version,
  })

const units = [
  ['month', 30.44 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** A lifetime such as "13 months", in the largest unit of which there are two. */
export function lifetimeText(
  { kind, lifetime }: Pick<StoredItem, 'kind' | 'lifetime'>,
  t: TFunction,
  language: string,
): string {
  if (lifetime === null)
    return t(
      kind === 'cookie' || kind === 'session_storage'
        ? 'tracking.evidence.session'
        : 'tracking.evidence.unlimited',
    )
  const [unit, seconds] = units.find(([, length]) => lifetime >= 1.95 * length) ?? (['second', 1] as const)
  const format = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' })
  return format.format(Math.round(lifetime / seconds))
}
