import type { Transaction } from '@kustos/database/client'
import { checks, customers, tags, webs } from '@kustos/database/tables'
import { asc, eq, sql } from 'drizzle-orm'
import type { SecretBox } from '../platform/secret-box.ts'
import { openHeaders } from './headers.ts'

/** The names of websites, customers and tags with a check whose headers were sealed with a key that is no longer configured. */
export async function listUnreadableChecks(db: Transaction, box: SecretBox | null): Promise<string[]> {
  const rows = await db
    .select({
      id: checks.id,
      settings: checks.settings,
      subject: sql<string>`coalesce(${webs.fqdn}, ${customers.code}, ${tags.name}, '')`,
    })
    .from(checks)
    .leftJoin(webs, eq(webs.id, checks.web_id))
    .leftJoin(customers, eq(customers.id, checks.customer_id))
    .leftJoin(tags, eq(tags.id, checks.tag_id))
    .where(sql`${checks.settings} ? 'headers'`)
    .orderBy(asc(checks.id))
  return rows
    .filter(({ id, settings }) => openHeaders(box, id, settings.headers ?? []) === null)
    .map(({ subject }) => subject)
}
