import { externalDomainStatus, normalizeDomain } from '@kustos/contract/external-domains'
import { type Message, message } from '@kustos/contract/messages'
import type { Transaction } from '@kustos/database/client'
import { externalDomains, logEntries } from '@kustos/database/tables'
import { storedMessage } from '@kustos/domain/platform/stored-message'
import { eq } from 'drizzle-orm'
import { type DomainDns, externalSeedDomains } from './domains.ts'
import { createRandom } from './random.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

const statuses: Readonly<Record<DomainDns, number | null>> = {
  here: externalDomainStatus.ok,
  elsewhere: externalDomainStatus.extern,
  bare: externalDomainStatus.error,
  gone: externalDomainStatus.error,
  // From the last time that it answered.
  silent: externalDomainStatus.ok,
  refused: null,
}

const errors: Readonly<Partial<Record<DomainDns, Message>>> = {
  silent: message('dns_timeout'),
  refused: message('dns_refused'),
}

/**
 * Adds the agency's external domains and their audit log, unless users have edited the list before.
 * @param creators ids of users
 */
export async function seedExternalDomains(
  db: Transaction,
  creators: readonly number[],
  now: Date,
): Promise<void> {
  const logged = await db.$count(logEntries, eq(logEntries.log_name, 'external-domains'))
  if (logged > 0 || (await db.$count(externalDomains)) > 0) return
  const random = createRandom(1453)
  const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds)
  const rows = await db
    .insert(externalDomains)
    .values(
      externalSeedDomains.map(({ fqdn, customer, domainprovider, dns, mname }) => {
        const answeredAgo = dns === 'silent' ? 3 * dayMs : 0
        return {
          fqdn,
          fqdn_ascii: normalizeDomain(fqdn),
          customer,
          domainprovider,
          status: statuses[dns],
          mname: dns === 'refused' || dns === 'gone' ? null : mname,
          // At different times, so that they are not all due at once.
          checked_at: dns === 'refused' ? null : ago(answeredAgo + random.int(1, 20) * hourMs),
          ...storedMessage('check_error', errors[dns] ?? null),
          created_at: ago(random.int(30, 900) * dayMs),
          updated_at: ago(random.int(5, 50) * 60_000),
        }
      }),
    )
    .returning()
  await db.insert(logEntries).values(
    rows.map(({ id, fqdn, customer, domainprovider, created_at }) => ({
      created_at,
      log_name: 'external-domains',
      description: 'created',
      subject_type: 'external_domain',
      subject_id: id,
      causer_id: creators[random.int(0, Math.min(2, creators.length - 1))] ?? null,
      properties: { attributes: { fqdn, customer, domainprovider } },
    })),
  )
}
