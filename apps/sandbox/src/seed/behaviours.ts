import { asciiFqdn } from '@kustos/contract/webs'
import { createRandom, seedOf } from './random.ts'

/** What a hosted site does with whoever asks for it. */
export type Behaviour =
  /** Answers after 20 to 200 ms, which of them depends on its name. */
  | { readonly kind: 'steady' }
  /** Answers after two to four seconds. */
  | { readonly kind: 'slow' }
  | { readonly kind: 'redirecting'; readonly status: 301 | 302; readonly to: string }
  /** Answers with this status. */
  | { readonly kind: 'failing'; readonly status: 403 | 404 | 500 | 503 }
  /** By the clock, some minutes of 503 and then some of well-being. */
  | { readonly kind: 'flapping' }
  /** Takes connections and requests, and never answers. */
  | { readonly kind: 'silent' }
  /** Takes no connection, on neither port. */
  | { readonly kind: 'refusing' }
  /** Is there on port 80 alone. */
  | { readonly kind: 'plain' }
  /** Its certificate ended so many days before the sandbox was first started. */
  | { readonly kind: 'expired'; readonly days: number }
  /** Its certificate ends so many days after the first start, and is then renewed week by week. */
  | { readonly kind: 'expiring'; readonly days: number }
  /** Its certificate is for this name. */
  | { readonly kind: 'misnamed'; readonly name: string }
  /** Answers with a page that has no end. */
  | { readonly kind: 'endless' }

/** The sites that are not like the others: by the names of the seed's stories, all the rest is steady. */
const behaviours: Readonly<Record<string, Behaviour>> = {
  'www.trattoria-al-ponte.test': { kind: 'slow' },
  'www.camping-lago-azzurro.test': { kind: 'slow' },
  'höfe-südtirol.test': { kind: 'redirecting', status: 301, to: 'https://www.höfe-südtirol.test/' },
  'caffè-aurora.test': { kind: 'redirecting', status: 301, to: 'https://www.caffè-aurora.test/' },
  'alt.möbel-höller.test': { kind: 'redirecting', status: 301, to: 'https://www.möbel-höller.test/' },
  'intranet.kustos.test': { kind: 'redirecting', status: 302, to: '/anmelden' },
  'adventkalender.höfe-südtirol.test': { kind: 'failing', status: 403 },
  'www.kletterzentrum-arco.test': { kind: 'failing', status: 404 },
  'www.spenglerei-stolz.test': { kind: 'failing', status: 404 },
  'www.residence-alservino.test': { kind: 'failing', status: 500 },
  'www.metzgerei-windisch.test': { kind: 'failing', status: 500 },
  'www.sennerei-drei-zinnen.test': { kind: 'failing', status: 503 },
  'www.pension-edelweiss.test': { kind: 'failing', status: 503 },
  'www.skischule-sextnerdolomiten.test': { kind: 'flapping' },
  'www.elektro-ladurner.test': { kind: 'silent' },
  'www.musikkapelle-villanders.test': { kind: 'refusing' },
  'nur-http.test': { kind: 'plain' },
  'www.abgelaufen-zertifikat.test': { kind: 'expired', days: 12.4 },
  'www.weingut-am-hang.test': { kind: 'expiring', days: 3.1 },
  'www.webdesign-müller.test': { kind: 'misnamed', name: 'server.hosting.test' },
  'webcam.bergbahnen-ahrntal.test': { kind: 'endless' },
}

const byHost: ReadonlyMap<string, Behaviour> = new Map(
  Object.entries(behaviours).map(([fqdn, behaviour]) => [asciiFqdn(fqdn) ?? fqdn, behaviour]),
)

const steady: Behaviour = { kind: 'steady' }

/** @param host in its ASCII form, as everywhere here */
export const behaviourOf = (host: string): Behaviour => byHost.get(host) ?? steady

/** The hosts whose behaviour is one of these. */
export const hostsThat = (...kinds: readonly Behaviour['kind'][]): string[] =>
  [...byHost].flatMap(([host, { kind }]) => (kinds.includes(kind) ? [host] : []))

/** Milliseconds until a site answers. */
export function delayOf(host: string): number {
  const random = createRandom(seedOf(host))
  return behaviourOf(host).kind === 'slow' ? random.int(2_000, 4_000) : random.int(20, 200)
}

const minute = 60_000
/** A flapping site is down for the first part of each cycle. */
export const flapping = { cycle: 12 * minute, down: 4 * minute }

/** When a flapping site's current cycle began, in milliseconds since 1970. */
export const cycleStart = (at: Date): number => Math.floor(at.getTime() / flapping.cycle) * flapping.cycle

/** What a probe of the site sees at this moment: its status, or null where none comes. */
export function statusOf(behaviour: Behaviour, at: Date): number | null {
  switch (behaviour.kind) {
    case 'redirecting':
    case 'failing':
      return behaviour.status
    case 'flapping':
      return at.getTime() - cycleStart(at) < flapping.down ? 503 : 200
    case 'silent':
    case 'refusing':
    case 'expired':
    case 'misnamed':
      return null
    default:
      return 200
  }
}
