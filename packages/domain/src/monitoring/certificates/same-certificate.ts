import { webCertificates, webs } from '@kustos/database/tables'
import { type SQL, sql } from 'drizzle-orm'

/**
 * Whether the certificate of another name is not that of the web, which is selected as `webs`. Probes see a renewed one before the names
 * are checked, or after that, so it is compared with what both have seen.
 */
export const isOtherCertificate = (webId: SQL, validTo: SQL): SQL => sql`
  ${validTo} is distinct from webs.cert_expiration and not exists (
    select from ${webCertificates} own where own.web_id = ${webId} and own.kind = 'main' and own.valid_to = ${validTo})`

/** Whether the web of a row `e` of `certificate_warnings` still has the certificate that it is about. */
export const stillHasCertificate = sql`exists (
  select from ${webs} w left join ${webCertificates} c on c.web_id = w.id and c.name = e.name
  where w.id = e.web_id and e.cert_expiration = case when e.name = '' then w.cert_expiration else c.valid_to end)`
