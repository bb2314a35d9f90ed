import type { CertificateState, Ipv6State, NameKind } from '@kustos/contract/certificates'
import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { cascadingReferenceTo, messageColumns, timestamptz } from './columns.ts'
import { webs } from './webs.ts'

/** What each name of a web showed when it was last checked. */
export const webCertificates = pgTable(
  'web_certificates',
  {
    web_id: cascadingReferenceTo(() => webs.id),
    /** In ASCII. */
    name: text().notNull(),
    kind: text().$type<NameKind>().notNull(),
    checked_at: timestamptz().notNull(),
    state: text().$type<CertificateState>().notNull(),
    ...messageColumns('reason'),
    /** Since when it has been in this state, if it is one of `wrongStates`, or was in one of them before it could not be reached. */
    wrong_since: timestamptz(),
    /** When that was last announced, and which state it was. */
    announced_at: timestamptz(),
    announced_state: text().$type<CertificateState>(),
    /** Of the last certificate that was seen. */
    authority: text(),
    valid_from: timestamptz(),
    valid_to: timestamptz(),
    fingerprint: text(),
    covers_name: boolean(),
    is_trusted: boolean(),
    /** That of the last certificate before it that had replaced a newer one. It may be the same one, which was not seen for a while. */
    replaced_fingerprint: text(),
    ipv6: text().$type<Ipv6State>().notNull(),
    ...messageColumns('ipv6_reason'),
    /** Since when IPv6 fails. */
    ipv6_since: timestamptz(),
  },
  (table) => [
    primaryKey({ columns: [table.web_id, table.name] }),
    check(
      'web_certificates_state',
      sql`${table.state} in ('valid', 'expired', 'not_yet_valid', 'wrong_name', 'untrusted', 'replaced', 'missing', 'unreachable', 'elsewhere', 'unresolved')`,
    ),
    check(
      'web_certificates_ipv6',
      sql`${table.ipv6} in ('none', 'working', 'unconfirmed', 'failing', 'unknown')`,
    ),
    // For what needs attention.
    index('web_certificates_wrong').on(table.wrong_since).where(sql`wrong_since is not null`),
    index('web_certificates_ipv6_failing').on(table.ipv6_since).where(sql`ipv6 = 'failing'`),
    index('web_certificates_by_end').on(table.valid_to),
  ],
)

/** When the names of a web are to be checked next. */
export const certificateChecks = pgTable(
  'certificate_checks',
  {
    web_id: integer()
      .primaryKey()
      .references(() => webs.id, { onDelete: 'cascade' }),
    /** -infinity: at once. */
    due_at: timestamptz().notNull(),
  },
  (table) => [index('certificate_checks_by_due').on(table.due_at)],
)
