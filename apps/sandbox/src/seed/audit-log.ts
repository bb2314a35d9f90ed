import type { LogProperties, logEntries, webs } from '@kustos/database/tables'
import { createRandom, type Random } from './random.ts'

type LogRow = typeof logEntries.$inferInsert
type Web = typeof webs.$inferSelect

const dayMs = 24 * 3600 * 1000
const retentionMs = 150 * dayMs

/** The log before the first start: how the webs came to be as they are, and who signed in. */
export function createAuditLog(webs: readonly Web[], userIds: readonly number[], now: Date): LogRow[] {
  const random = createRandom(1804)
  const rows = [
    ...webs.flatMap((web) => createChanges(web, userIds, random, now)),
    ...createSignIns(userIds, random, now),
  ]
  return rows.toSorted((a, b) => a.created_at.getTime() - b.created_at.getTime())
}

function createChanges(web: Web, userIds: readonly number[], random: Random, now: Date): LogRow[] {
  const { fqdn, customer, framework_version, comment, created_at, updated_at, deleted_at } = web
  const entry = (description: string, at: Date, properties: LogProperties): LogRow => ({
    created_at: at,
    log_name: 'webs',
    description,
    subject_type: 'web',
    subject_id: web.id,
    causer_id: userIds[random.int(0, Math.min(2, userIds.length - 1))] ?? null,
    properties,
  })
  const rows = [entry('created', created_at, { attributes: { fqdn, customer } })]
  if (now.getTime() - updated_at.getTime() < retentionMs && framework_version !== null) {
    const old = { framework_version: previousVersion(framework_version) }
    rows.push(entry('updated', updated_at, { attributes: { framework_version }, old }))
    if (comment !== null) {
      const commentedAt = new Date(updated_at.getTime() - random.int(1, 40) * dayMs)
      if (commentedAt > created_at)
        rows.push(entry('updated', commentedAt, { attributes: { comment }, old: { comment: null } }))
    }
  }
  if (deleted_at !== null) rows.push(entry('deleted', deleted_at, { old: { fqdn, customer } }))
  return rows
}

const previousVersion = (version: string) =>
  version.replace(/\d+(?=\D*$)/, (last) => String(Math.max(0, Number(last) - 1)))

function createSignIns(userIds: readonly number[], random: Random, now: Date): LogRow[] {
  const rows: LogRow[] = []
  for (let daysAgo = 30; daysAgo >= 1; daysAgo--) {
    const morning = new Date(now.getTime() - daysAgo * dayMs)
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
