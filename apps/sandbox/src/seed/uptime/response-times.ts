import { responseDelayMs } from '../behaviours.ts'
import { createRandom, hashText } from '../random.ts'

/** Random response times that are close to the site's current one. @param purpose selects a sequence of random numbers */
export function createResponseTimes(host: string, purpose: string) {
  const random = createRandom(hashText(`${host} ${purpose}`))
  const handshakeMs = random.int(6, 25)
  const typicalMs = responseDelayMs(host) + handshakeMs
  return {
    /** Median and 95th percentile of a day. */
    ofDay() {
      const median = typicalMs * (0.93 + 0.14 * random.next())
      return {
        response_ms: Math.round(median),
        response_p95_ms: Math.round(median * (1.2 + 1.1 * random.next())),
      }
    },
    ofProbe: () =>
      Math.round(typicalMs * (0.9 + 0.2 * random.next()) * (random.chance(0.06) ? 1.3 + random.next() : 1)),
  }
}
