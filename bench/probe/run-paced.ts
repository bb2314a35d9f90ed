import { setTimeout as sleep } from 'node:timers/promises'

/** As fast as possible with a fixed concurrency, or spread evenly over a time, as the engine's rounds are. */
export type Pace = { readonly concurrency: number } | { readonly spreadMs: number }

/** @returns the number of webs that responded */
export async function runPaced(
  webs: number,
  pace: Pace,
  probe: (web: number) => Promise<boolean>,
): Promise<number> {
  let responded = 0
  const one = async (web: number) => {
    if (await probe(web)) responded++
  }
  if ('spreadMs' in pace) {
    const startedAt = Date.now()
    const later = async (web: number) => {
      await sleep(Math.max(1, startedAt + (web * pace.spreadMs) / webs - Date.now()))
      await one(web)
    }
    await Promise.all(Array.from({ length: webs }, (_, web) => later(web)))
  } else {
    let next = 0
    const work = async () => {
      while (next < webs) await one(next++)
    }
    await Promise.all(Array.from({ length: pace.concurrency }, work))
  }
  return responded
}
