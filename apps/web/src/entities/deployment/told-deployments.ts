import type { DeploymentSummary } from '@kustos/contract/deployment'
import { isRecord, isStringArray, recall, remember } from '../../platform/storage.ts'

type Ended = Pick<DeploymentSummary, 'id' | 'ended_at'>

/** More than the server lists at once. */
const maxKeys = 200
/** A deployment may become visible after one that ended later. */
const overlapMs = 60_000

/** A deployment that was retried ends again. */
const keyOf = ({ id, ended_at }: Ended) => `${id} ${ended_at}`

/** What this browser has told a user: a tab's view of it, which other tabs change, too. */
export function openTold(userId: number) {
  const storageKey = `kustos.toldDeployments.${userId}`
  /** For blocked storage. */
  const toldHere = new Set<string>()
  const started = new Date().toISOString()

  function read() {
    const stored = recall(storageKey)
    return isRecord(stored) && typeof stored.since === 'string' && isStringArray(stored.keys)
      ? { since: stored.since, keys: stored.keys }
      : // On the first visit, everything before it is known.
        { since: started, keys: [] }
  }
  const { since, keys } = read()
  remember(storageKey, { since, keys })

  return {
    /** ISO time. What ended before is not told any more. */
    since,
    /** Notes that the user is told of these. @returns those that no tab has told of before */
    mark<One extends Ended>(ended: readonly One[]): readonly One[] {
      const before = read()
      const untold = ended.filter((one) => !toldHere.has(keyOf(one)) && !before.keys.includes(keyOf(one)))
      if (untold.length === 0) return []
      for (const one of untold) toldHere.add(keyOf(one))
      const latest = Math.max(...ended.map(({ ended_at }) => Date.parse(ended_at ?? before.since)))
      remember(storageKey, {
        since: new Date(Math.max(Date.parse(before.since), latest - overlapMs)).toISOString(),
        keys: [...untold.map(keyOf), ...before.keys].slice(0, maxKeys),
      })
      return untold
    },
  }
}
