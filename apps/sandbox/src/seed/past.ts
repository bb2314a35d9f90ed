import type { LogProperties, logEntries } from '@kustos/database/tables'
import { createRandom, type Random } from './random.ts'

type LogRow = typeof logEntries.$inferInsert

export interface PastWeb {
  readonly id: number
  readonly fqdn: string
  readonly customer: string
  readonly framework_version: string | null
  readonly comment: string | null
  readonly created_at: Date
  readonly updated_at: Date
  readonly deleted_at: Date | null
}

const day = 24 * 3600 * 1000
const reach = 150 * day

/** What was written into the log before anybody looked: how the webs came to be as they are, and who signed in. */
export function pastOf(webs: readonly PastWeb[], userIds: readonly number[], now: Date): LogRow[] {
  const random = createRandom(1804)
  const rows = [
    ...webs.flatMap((web) => changesOf(web, userIds, random, now)),
    ...signIns(userIds, random, now),
  ]
  return rows.toSorted((a, b) => a.created_at.getTime() - b.created_at.getTime())
}

function changesOf(web: PastWeb, userIds: readonly number[], random: Random, now: Date): LogRow[] {
  const someone = () => userIds[random.int(0, Math.min(2, userIds.length - 1))] ?? null
  const entry = (description: string, at: Date, properties: LogProperties): LogRow => ({
    created_at: at,
    log_name: 'webs',
    description,
    subject_type: 'web',
    subject_id: web.id,
    causer_id: someone(),
    properties,
  })
  const rows = [entry('created', web.created_at, { attributes: { fqdn: web.fqdn, customer: web.customer } })]
  if (now.getTime() - web.updated_at.getTime() < reach && web.framework_version !== null) {
    const old = { framework_version: earlier(web.framework_version) }
    rows.push(
      entry('updated', web.updated_at, { attributes: { framework_version: web.framework_version }, old }),
    )
    if (web.comment !== null) {
      const before = new Date(web.updated_at.getTime() - random.int(1, 40) * day)
      if (before > web.created_at)
        rows.push(entry('updated', before, { attributes: { comment: web.comment }, old: { comment: null } }))
    }
  }
  if (web.deleted_at !== null)
    rows.push(entry('deleted', web.deleted_at, { old: { fqdn: web.fqdn, customer: web.customer } }))
  return rows
}

/** The release before, as far as a number tells. */
const earlier = (version: string) =>
  version.replace(/\d+(?=\D*$)/, (last) => String(Math.max(0, Number(last) - 1)))

function signIns(userIds: readonly number[], random: Random, now: Date): LogRow[] {
  const rows: LogRow[] = []
  for (let ago = 30; ago >= 1; ago--) {
    const morning = new Date(now.getTime() - ago * day)
    morning.setUTCHours(6, 0, 0, 0)
    if (morning.getUTCDay() === 0 || morning.getUTCDay() === 6) continue
    for (const id of userIds) {
      if (random.chance(0.4)) continue
      const address = `192.0.2.${random.int(150, 190)}`
      rows.push({
        created_at: new Date(morning.getTime() + random.int(0, 10_000) * 1000),
        log_name: 'auth',
        description: 'signed in',
        subject_type: 'user',
        subject_id: id,
        causer_id: id,
        properties: { attributes: { address } },
      })
    }
  }
  return rows
}
