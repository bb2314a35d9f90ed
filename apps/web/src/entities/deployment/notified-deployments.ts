import type { DeploymentSummary } from '@kustos/contract/deployment'
import { isRecord, isStringArray, recall, remember } from '../../platform/storage.ts'

type Ended = Pick<DeploymentSummary, 'id' | 'ended_at'>

/** More than the server lists at once. */
const maxKeys = 200
/** A deployment may become visible after one that ended later. */
const overlapMs = 60_000

/** A deployment that was retried ends again. */
const keyOf = ({ id, ended_at }: Ended) => `${id} ${ended_at}`

/** The ended deployments or batches that this browser has notified a user of. Other tabs change the same record. */
export function openNotified(userId: number, what: 'Deployments' | 'Batches' = 'Deployments') {
  const storageKey = `kustos.notified${what}.${userId}`
  /** For blocked storage. */
  const own = new Set<string>()
  // This code is loaded a moment after the page.
  const started = new Date(Math.max(performance.timeOrigin, Date.now() - overlapMs)).toISOString()

  function read() {
    const stored = recall(storageKey)
    return isRecord(stored) && typeof stored.since === 'string' && isStringArray(stored.keys)
      ? { since: stored.since, keys: stored.keys }
      : // The first visit starts with what has ended since it began.
        { since: started, keys: [] }
  }
  const { since, keys } = read()
  remember(storageKey, { since, keys })

  return {
    /** ISO time. Earlier ends need no notification. */
    since,
    /** Records deployments as notified. @returns those that no tab had recorded before */
    record<One extends Ended>(ended: readonly One[]): readonly One[] {
      const before = read()
      const added = ended.filter((one) => !own.has(keyOf(one)) && !before.keys.includes(keyOf(one)))
      if (added.length === 0) return []
      for (const one of added) own.add(keyOf(one))
      remember(storageKey, { ...before, keys: [...added.map(keyOf), ...before.keys].slice(0, maxKeys) })
      return added
    },
    /** Lets the next visit start with the latest of these, once all of them need no notification any more. */
    advance(ended: readonly Ended[]): void {
      const before = read()
      const latest =
        Math.max(...ended.map(({ ended_at }) => Date.parse(ended_at ?? before.since))) - overlapMs
      if (latest > Date.parse(before.since))
        remember(storageKey, { ...before, since: new Date(latest).toISOString() })
    },
  }
}
