import { nameKinds, type WebCertificate } from '@kustos/contract/certificates'
import { webCertificates, webs } from '@kustos/database/tables'
import { and, eq, isNull } from 'drizzle-orm'
import type { Context } from '../../platform/context.ts'
import { notFound } from '../../platform/errors.ts'

/** What each name of a web showed when it was last checked, its own name first. @throws DomainError not-found */
export async function listWebCertificates(
  { db }: Pick<Context, 'db'>,
  id: number,
): Promise<WebCertificate[]> {
  const [web] = await db
    .select({ id: webs.id })
    .from(webs)
    .where(and(eq(webs.id, id), isNull(webs.deleted_at)))
  if (!web) throw notFound('web_not_found', { id })
  const rows = await db.select().from(webCertificates).where(eq(webCertificates.web_id, id))
  return rows
    .toSorted((a, b) => nameKinds.indexOf(a.kind) - nameKinds.indexOf(b.kind) || a.name.localeCompare(b.name))
    .map(present)
}

const present = (row: typeof webCertificates.$inferSelect): WebCertificate => ({
  name: row.name,
  kind: row.kind,
  checked_at: row.checked_at.toISOString(),
  state: row.state,
  reason: row.reason,
  reason_code: row.reason_code,
  reason_params: row.reason_params,
  wrong_since: row.state === 'unreachable' ? null : (row.wrong_since?.toISOString() ?? null),
  certificate:
    row.fingerprint === null || row.valid_from === null || row.valid_to === null
      ? null
      : {
          authority: row.authority ?? '',
          valid_from: row.valid_from.toISOString(),
          valid_to: row.valid_to.toISOString(),
          fingerprint: row.fingerprint,
          covers_name: row.covers_name ?? false,
          is_trusted: row.is_trusted ?? false,
        },
  ipv6: {
    state: row.ipv6,
    since: row.ipv6_since?.toISOString() ?? null,
    reason: row.ipv6_reason,
    reason_code: row.ipv6_reason_code,
    reason_params: row.ipv6_reason_params,
  },
})
