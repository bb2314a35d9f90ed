import { webs } from '@kustos/database/tables'
import type { TestDatabase } from '@kustos/database/testing'

type Values = Partial<typeof webs.$inferInsert>

export const webRow = (fqdn: string, more: Values = {}) => ({
  fqdn,
  fqdn_ascii: fqdn,
  customer: 'ALPEN',
  configured_ip: '192.0.2.7',
  ...more,
})

/** @returns its id */
export async function addWeb({ db }: TestDatabase, fqdn: string, more: Values = {}): Promise<number> {
  const [row] = await db.insert(webs).values(webRow(fqdn, more)).returning({ id: webs.id })
  return row?.id ?? 0
}
