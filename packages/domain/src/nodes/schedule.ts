import { inspections, nodes } from '@kustos/database/tables'
import { and, eq, exists, gte, notExists, type SQL, sql } from 'drizzle-orm'
import { enqueueInspections, type InspectionTools } from '../inspections/index.ts'
import { nightOf } from '../monitoring/index.ts'
import type { Context } from '../platform/context.ts'

/** Rescans, once a night, every node that was scanned before. */
export async function scheduleDiscoveries(context: Context, tools: InspectionTools) {
  const { db } = context
  const now = context.now()
  const night = nightOf(now)
  if (now.getTime() < night.from || now.getTime() >= night.to) return null
  const discovery = (which?: SQL) =>
    db
      .select({ one: sql`1` })
      .from(inspections)
      .where(and(eq(inspections.node_id, nodes.id), eq(inspections.kind, 'discovery'), which))
  const due = await db
    .select({ id: nodes.id, name: nodes.name })
    .from(nodes)
    .where(and(exists(discovery()), notExists(discovery(gte(inspections.created_at, new Date(night.from))))))
  if (due.length === 0) return null
  const rows = await db
    .insert(inspections)
    .values(due.map(({ id }) => ({ node_id: id, kind: 'discovery', created_at: now })))
    .onConflictDoNothing()
    .returning({ id: inspections.id, node: inspections.node_id })
  const names = new Map(due.map(({ id, name }) => [id, name]))
  await enqueueInspections(
    tools,
    rows.map(({ id, node }) => ({
      id,
      kind: 'discovery' as const,
      fqdn: names.get(node ?? 0) ?? '',
      web_id: null,
    })),
  )
  return { requested: rows.length }
}
