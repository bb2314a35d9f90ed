import {
  defaultDecisions,
  type PolicyDecision,
  type PolicyDecisions,
  type ThirdPartyCategory,
} from '@kustos/contract/third-parties/states'
import type { ConsentPhase, ConsentVerdict, RequestedHost, StoredItem } from '@kustos/contract/tracking'
import { thirdPartyClassifications, thirdPartyPolicy } from '@kustos/database/tables'
import type { Scope } from '../platform/context.ts'

/** Which third parties need consent. */
export interface TrackingPolicy {
  readonly decisions: PolicyDecisions
  /** What staff have decided, by host. */
  readonly classifications: ReadonlyMap<string, ThirdPartyCategory>
}

export const defaultPolicy: TrackingPolicy = { decisions: defaultDecisions, classifications: new Map() }

/** Reads the policy as it is now. */
export async function readPolicy({ db }: Pick<Scope, 'db'>): Promise<TrackingPolicy> {
  const decisions = await readDecisions({ db })
  const rows = await db
    .select({ host: thirdPartyClassifications.host, category: thirdPartyClassifications.category })
    .from(thirdPartyClassifications)
  // Only parsed input is written there.
  const classifications = rows.map(({ host, category }) => [host, category as ThirdPartyCategory] as const)
  return { decisions, classifications: new Map(classifications) }
}

export async function readDecisions({ db }: Pick<Scope, 'db'>): Promise<PolicyDecisions> {
  const rows = await db.select().from(thirdPartyPolicy)
  const stored = rows.map(({ category, decision }) => [category, decision as PolicyDecision])
  return { ...defaultDecisions, ...Object.fromEntries(stored) }
}

interface Request {
  readonly host: string
  readonly phase: ConsentPhase
  /** By the lists; undefined for hosts of the web itself. */
  readonly category: ThirdPartyCategory | undefined
  /** Whether it says that consent is denied. */
  readonly isDenied: boolean
}

/** Judges a request. `evaluate.ts` does the same in SQL, for what is known of webs. */
export function judgeRequest(
  { decisions, classifications }: TrackingPolicy,
  { host, phase, category: listed, isDenied }: Request,
): ConsentVerdict {
  if (listed === undefined || phase === 'accepted') return 'none'
  const decision = decisions[findClassified(classifications, host) ?? listed]
  return decision !== 'consent' ? decision : isDenied ? 'denied' : 'violation'
}

/**
 * Judges what a known tracker has stored. What is there after consent was withdrawn was stored with it: that it was not removed
 * is for staff to look at.
 */
export function judgeStored(
  policy: TrackingPolicy,
  item: Pick<StoredItem, 'host' | 'phase' | 'category'>,
): ConsentVerdict {
  const verdict = judgeRequest(policy, { ...item, category: item.category, isDenied: false })
  return verdict === 'violation' && item.phase === 'withdrawn' ? 'review' : verdict
}

/**
 * The host by which something stored is classified: that which its tracker was asked at, in the same phase if possible, since this
 * is what staff decide about, otherwise its own.
 */
export const hostOfStored = (
  { phase, entity, host }: Pick<StoredItem, 'phase' | 'entity' | 'host'>,
  asked: readonly RequestedHost[],
): string =>
  (
    asked.find((one) => one.phase === phase && one.entity === entity) ??
    asked.find((one) => one.entity === entity)
  )?.host ?? host.replace(/^\./, '')

/** That of the host itself, otherwise of the nearest domain that it is under. */
function findClassified(
  classifications: TrackingPolicy['classifications'],
  host: string,
): ThirdPartyCategory | undefined {
  for (let name = host; ; name = name.slice(name.indexOf('.') + 1)) {
    const category = classifications.get(name)
    if (category !== undefined || !name.includes('.')) return category
  }
}
