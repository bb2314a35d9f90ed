import type { TimelineEntry } from '@kustos/contract/timeline'
import { webCertificates, webs } from '@kustos/database/tables'
import { sql } from 'drizzle-orm'
import type { Context } from '../../platform/context.ts'
import { visibleWebs } from '../../platform/visible-webs.ts'

type CertificateEntry = Extract<TimelineEntry, { kind: 'certificate' }>

interface Row extends Record<string, unknown> {
  readonly at: string
  readonly web_id: number
  readonly fqdn: string
  readonly state: CertificateEntry['certificate']['state']
  readonly names: string[]
  readonly authority: string | null
  readonly valid_to: string | null
}

/**
 * When the present certificates of webs were issued, and since when they have been wrong, newest first. Names that share one, or have
 * failed together, are one entry.
 */
export async function listCertificateEntries(
  context: Pick<Context, 'db' | 'now' | 'actor'>,
  query: { readonly webs: readonly number[]; readonly since: Date; readonly limit: number },
): Promise<CertificateEntry[]> {
  const { rows } = await context.db.execute<Row>(sql`
    with known as materialized (
      select c.*, ${webs.fqdn} from ${webCertificates} c join ${webs} on ${webs.id} = c.web_id
      where c.web_id = any(${sql.param([...query.webs])}::int[]) and ${visibleWebs(context) ?? sql`true`}
    ), events as (
      select valid_from as at, web_id, fqdn, 'valid' as state, array_agg(name order by kind, name) as names, min(authority) as authority,
        valid_to
      from known where fingerprint is not null and valid_from <= ${context.now().toISOString()}::timestamptz
      group by fingerprint, valid_from, valid_to, web_id, fqdn
      union all
      select wrong_since, web_id, fqdn, state, array_agg(name order by kind, name), min(authority), min(valid_to)
      from known where wrong_since is not null and state <> 'unreachable'
      group by wrong_since, state, web_id, fqdn
    )
    select * from events where at >= ${query.since.toISOString()}::timestamptz
    order by at desc, web_id limit ${query.limit}`)
  return rows.map(({ at, web_id, fqdn, state, names, authority, valid_to }) => ({
    kind: 'certificate',
    at: new Date(at).toISOString(),
    certificate: {
      web: { id: web_id, fqdn },
      state,
      names,
      authority,
      valid_to: valid_to === null ? null : new Date(valid_to).toISOString(),
    },
  }))
}
