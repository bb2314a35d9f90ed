import { delayOf } from '../behaviours.ts'
import { createRandom, seedOf } from '../random.ts'

/** How long a site took to answer, in milliseconds. */
export interface Pace {
  /** Of a day: median and 95th percentile. */
  day(): { readonly response_ms: number; readonly response_p95_ms: number }
  probe(): number
}

/** Around what the site takes today. @param what keeps the numbers of one purpose apart from another's */
export function paceOf(host: string, what: string): Pace {
  const random = createRandom(seedOf(`${host} ${what}`))
  // Until the handshake is done.
  const usual = delayOf(host) + random.int(6, 25)
  return {
    day() {
      const median = usual * (0.93 + 0.14 * random.next())
      return {
        response_ms: Math.round(median),
        response_p95_ms: Math.round(median * (1.2 + 1.1 * random.next())),
      }
    },
    probe: () =>
      Math.round(usual * (0.9 + 0.2 * random.next()) * (random.chance(0.06) ? 1.3 + random.next() : 1)),
  }
}
