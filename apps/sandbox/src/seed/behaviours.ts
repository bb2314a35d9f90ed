import { asciiFqdn } from '@kustos/contract/webs'
import behaviours from './behaviours.json' with { type: 'json' }
import { createRandom, hashText } from './random.ts'

export type Behaviour =
  /** Answers after 20 to 200 ms, depending on its name. */
  | { readonly kind: 'steady' }
  /** Answers after two to four seconds. */
  | { readonly kind: 'slow' }
  | { readonly kind: 'redirecting'; readonly status: 301 | 302; readonly to: string }
  | { readonly kind: 'failing'; readonly status: 401 | 403 | 404 | 429 | 500 | 503 }
  /** Answers 503 for the first minutes of each cycle, according to the clock. */
  | { readonly kind: 'flapping' }
  /** Accepts requests and never answers. */
  | { readonly kind: 'silent' }
  /** Accepts no connection. */
  | { readonly kind: 'refusing' }
  /** Accepts connections only on port 80. */
  | { readonly kind: 'plain' }
  /** Had a certificate, and accepts connections only on port 80 now. */
  | { readonly kind: 'without-tls' }
  /** Its certificate expired this many days before the first start. */
  | { readonly kind: 'expired'; readonly days: number }
  /** Its certificate expires this many days after the first start, and is then renewed every week. */
  | { readonly kind: 'expiring'; readonly days: number }
  /** Its certificates are valid for six days. */
  | { readonly kind: 'short-lived' }
  /** Has an IPv6 address at which nothing listens. */
  | { readonly kind: 'dead-ipv6' }
  /** Its certificate is for this name. */
  | { readonly kind: 'misnamed'; readonly name: string }
  /** Its page never ends. */
  | { readonly kind: 'endless' }
  /** Its page was there and is empty now. */
  | { readonly kind: 'blank' }
  /** Has this text instead of its page. */
  | { readonly kind: 'saying'; readonly text: string }
  /** Refuses the method HEAD. */
  | { readonly kind: 'without-head' }

/** All other sites are steady. */
const behavioursByHost: ReadonlyMap<string, Behaviour> = new Map(
  Object.entries(behaviours as Readonly<Record<string, Behaviour>>).map(([fqdn, behaviour]) => [
    asciiFqdn(fqdn) ?? fqdn,
    behaviour,
  ]),
)

/** @param host the ASCII name, as in the whole module */
export const findBehaviour = (host: string): Behaviour => behavioursByHost.get(host) ?? { kind: 'steady' }

export const findHostsByBehaviour = (...kinds: readonly Behaviour['kind'][]): string[] =>
  [...behavioursByHost].flatMap(([host, { kind }]) => (kinds.includes(kind) ? [host] : []))

export function responseDelayMs(host: string): number {
  const random = createRandom(hashText(host))
  return findBehaviour(host).kind === 'slow' ? random.int(2_000, 4_000) : random.int(20, 200)
}

const minuteMs = 60_000
/** A flapping site is down at the beginning of each cycle. */
export const flapping = { cycleMs: 12 * minuteMs, downMs: 4 * minuteMs }

/** When a flapping site's current cycle began, in milliseconds since 1970. */
export const cycleStart = (at: Date): number => Math.floor(at.getTime() / flapping.cycleMs) * flapping.cycleMs

/** The status that a probe gets at this time; null if it gets no response. */
export function getStatus(behaviour: Behaviour, at: Date): number | null {
  switch (behaviour.kind) {
    case 'redirecting':
    case 'failing':
      return behaviour.status
    case 'flapping':
      return at.getTime() - cycleStart(at) < flapping.downMs ? 503 : 200
    case 'silent':
    case 'refusing':
    case 'without-tls':
    case 'expired':
    case 'misnamed':
      return null
    default:
      return 200
  }
}
