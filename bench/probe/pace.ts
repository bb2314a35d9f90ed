import { setTimeout as sleep } from 'node:timers/promises'

/** So many at a time, as fast as they go; or all of them spread over so many milliseconds, as a round is. */
export type Pace = { readonly atOnce: number } | { readonly spread: number }

/** @returns of how many webs the probe came out well */
export async function paced(
  webs: number,
  pace: Pace,
  probe: (web: number) => Promise<boolean>,
): Promise<number> {
  let answered = 0
  const one = async (web: number) => {
    if (await probe(web)) answered++
  }
  if ('spread' in pace) {
    const begin = Date.now()
    const later = async (web: number) => {
      await sleep(Math.max(1, begin + (web * pace.spread) / webs - Date.now()))
      await one(web)
    }
    await Promise.all(Array.from({ length: webs }, (_, web) => later(web)))
  } else {
    let next = 0
    const several = async () => {
      while (next < webs) await one(next++)
    }
    await Promise.all(Array.from({ length: pace.atOnce }, several))
  }
  return answered
}
