import type { LegacyDomain, LegacyEmail } from '@kustos/clients/legacy'
import { newExternalDomain, normalizeDomain } from '@kustos/contract/external-domains'
import { importedDomain, importedEmail } from '@kustos/contract/limitis'
import { emails, externalDomains, ownDomains } from '@kustos/database/tables'
import type { z } from 'zod'
import type { AuditTransaction } from '../../platform/audit.ts'
import { withMergedCodes } from '../../platform/merged-codes.ts'
import { formatIssues } from './format-issues.ts'
import { importRows, type Run, type TableImport, tableImport } from './import-rows.ts'

/** Domains of customers at other registrars. */
export const importExternalDomains = (run: Run, sourceRows: readonly LegacyDomain[]) =>
  importValidRows(run, externalDomainImport, sourceRows, newExternalDomain)

export const importOwnDomains = (run: Run, sourceRows: readonly LegacyDomain[]) =>
  importValidRows(run, ownDomainImport, sourceRows, importedDomain)

export const importEmails = (run: Run, sourceRows: readonly LegacyEmail[]) =>
  importValidRows(run, emailImport, sourceRows, importedEmail)

/** Imports the rows that are valid like those that users enter. */
async function importValidRows<Row extends LegacyDomain | LegacyEmail>(
  run: Run,
  kind: TableImport<Row>,
  sourceRows: readonly Row[],
  schema: z.ZodType<Partial<Row>>,
): Promise<void> {
  const rows = sourceRows.flatMap((row) => {
    const parsed = schema.safeParse(row)
    if (parsed.success) return [{ ...row, ...parsed.data }]
    run.report.problem(kind.part, formatIssues(kind.name(row), parsed.error))
    return []
  })
  await importRows(run, tableImport(kind), rows)
}

const followMerges = <Row extends LegacyDomain | LegacyEmail>(
  { db }: AuditTransaction,
  rows: readonly Row[],
) => withMergedCodes(db, rows)

// Without `checked_at` the workers check the domain within seconds.
const domainColumns = ({ id: _, domainprovider: __, ...row }: LegacyDomain, now: Date) => ({
  ...row,
  fqdn_ascii: normalizeDomain(row.fqdn),
  created_at: row.created_at ?? now,
  updated_at: row.updated_at ?? row.created_at ?? now,
})

const externalDomainImport: TableImport<LegacyDomain> = {
  part: 'external-domains',
  table: externalDomains,
  subject: 'external_domain',
  column: externalDomains.fqdn_ascii,
  key: ({ fqdn }) => normalizeDomain(fqdn),
  name: ({ fqdn }) => fqdn,
  bringUpToDate: followMerges,
  columns: (row, now) => ({ ...domainColumns(row, now), domainprovider: row.domainprovider }),
  compared: ['fqdn', 'customer', 'domainprovider'],
}

const ownDomainImport: TableImport<LegacyDomain> = {
  ...externalDomainImport,
  part: 'domains',
  table: ownDomains,
  subject: null,
  column: ownDomains.fqdn_ascii,
  columns: domainColumns,
  compared: ['fqdn', 'customer'],
}

const emailImport: TableImport<LegacyEmail> = {
  part: 'emails',
  table: emails,
  subject: null,
  column: emails.address,
  key: ({ address }) => address,
  name: ({ address }) => address,
  bringUpToDate: followMerges,
  columns: ({ id: _, ...row }, now) => ({ ...row, created_at: row.created_at ?? now, updated_at: now }),
  compared: ['customer', 'type'],
}
