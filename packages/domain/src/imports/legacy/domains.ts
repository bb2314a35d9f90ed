import type { LegacyDomain, LegacyEmail } from '@kustos/clients/legacy'
import { comparedDomain, newExternalDomain } from '@kustos/contract/external-domains'
import { importedDomain, importedEmail } from '@kustos/contract/limitis'
import { emails, externalDomains, ownDomains } from '@kustos/database/tables'
import { eq, inArray } from 'drizzle-orm'
import { wrongOf } from './checked.ts'
import type { LegacyPart } from './report.ts'
import { type Found, type Kind, type Run, takeRows } from './take-rows.ts'

/** Domains of customers at other registrars. */
export async function takeExternalDomains(run: Run, given: readonly LegacyDomain[]): Promise<void> {
  const rows = checkedRows(run, 'external-domains', given, (row) => newExternalDomain.safeParse(row))
  await takeRows(run, externalKind, rows)
}

export async function takeOwnDomains(run: Run, given: readonly LegacyDomain[]): Promise<void> {
  const rows = checkedRows(run, 'domains', given, (row) => importedDomain.safeParse(row))
  await takeRows(run, ownKind, rows)
}

export async function takeEmails(run: Run, given: readonly LegacyEmail[]): Promise<void> {
  const rows = given.flatMap((row) => {
    const parsed = importedEmail.safeParse(row)
    if (parsed.success) return [{ ...row, ...parsed.data }]
    run.report.problem('emails', wrongOf(row.address, parsed.error))
    return []
  })
  await takeRows(run, emailKind, rows)
}

/** Validates rows like those that users enter. */
function checkedRows(
  { report }: Run,
  part: LegacyPart,
  given: readonly LegacyDomain[],
  check: (row: LegacyDomain) => ReturnType<typeof importedDomain.safeParse>,
): LegacyDomain[] {
  return given.flatMap((row) => {
    const parsed = check(row)
    if (parsed.success) return [{ ...row, ...parsed.data }]
    report.problem(part, wrongOf(row.fqdn, parsed.error))
    return []
  })
}

type DomainThere = Found & Pick<LegacyDomain, 'fqdn' | 'customer' | 'domainprovider'>

const domainColumns = (row: LegacyDomain, now: Date) => ({
  fqdn: row.fqdn,
  fqdn_ascii: comparedDomain(row.fqdn),
  customer: row.customer,
  status: row.status,
  mname: row.mname,
  // Without it the workers check the domain within seconds.
  checked_at: row.checked_at,
  check_error: row.check_error,
  created_at: row.created_at ?? now,
  updated_at: row.updated_at ?? row.created_at ?? now,
})

const domainKey = ({ fqdn }: LegacyDomain) => comparedDomain(fqdn)

const externalKind: Kind<LegacyDomain, DomainThere> = {
  part: 'external-domains',
  table: externalDomains,
  subject: 'external_domain',
  key: domainKey,
  name: ({ fqdn }) => fqdn,
  async find({ db }, rows) {
    const found = await db
      .select()
      .from(externalDomains)
      .where(inArray(externalDomains.fqdn_ascii, rows.map(domainKey)))
    return new Map(found.map((row) => [row.fqdn_ascii, row]))
  },
  columns: (row, now) => ({ ...domainColumns(row, now), domainprovider: row.domainprovider }),
  importedValues: ({ fqdn, customer, domainprovider }) => ({ fqdn, customer, domainprovider }),
  existingValues: ({ fqdn, customer, domainprovider }) => ({ fqdn, customer, domainprovider }),
  async update({ db, now }, { id }, _, values) {
    await db
      .update(externalDomains)
      .set({ ...values, updated_at: now() })
      .where(eq(externalDomains.id, id))
  },
}

const ownKind: Kind<LegacyDomain, Omit<DomainThere, 'domainprovider'>> = {
  part: 'domains',
  table: ownDomains,
  subject: null,
  key: domainKey,
  name: ({ fqdn }) => fqdn,
  async find({ db }, rows) {
    const found = await db
      .select()
      .from(ownDomains)
      .where(inArray(ownDomains.fqdn_ascii, rows.map(domainKey)))
    return new Map(found.map((row) => [row.fqdn_ascii, row]))
  },
  columns: domainColumns,
  importedValues: ({ fqdn, customer }) => ({ fqdn, customer }),
  existingValues: ({ fqdn, customer }) => ({ fqdn, customer }),
  async update({ db, now }, { id }, _, values) {
    await db
      .update(ownDomains)
      .set({ ...values, updated_at: now() })
      .where(eq(ownDomains.id, id))
  },
}

const emailKind: Kind<LegacyEmail, Found & Pick<LegacyEmail, 'customer' | 'type'>> = {
  part: 'emails',
  table: emails,
  subject: null,
  key: ({ address }) => address,
  name: ({ address }) => address,
  async find({ db }, rows) {
    const addresses = rows.map(({ address }) => address)
    const found = await db.select().from(emails).where(inArray(emails.address, addresses))
    return new Map(found.map((row) => [row.address, row]))
  },
  columns: ({ address, customer, type, created_at }, now) => ({
    address,
    customer,
    type,
    created_at: created_at ?? now,
    updated_at: now,
  }),
  importedValues: ({ customer, type }) => ({ customer, type }),
  existingValues: ({ customer, type }) => ({ customer, type }),
  async update({ db, now }, { id }, _, values) {
    await db
      .update(emails)
      .set({ ...values, updated_at: now() })
      .where(eq(emails.id, id))
  },
}
