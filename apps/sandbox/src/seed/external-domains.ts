import { comparedDomain, externalDomainStatus } from '@kustos/contract/external-domains'
import { type Message, message } from '@kustos/contract/messages'
import { englishText } from '@kustos/contract/messages/english'
import type { Transaction } from '@kustos/database/client'
import { externalDomains, logEntries } from '@kustos/database/tables'
import { eq } from 'drizzle-orm'
import { externalDomainStories, type Whereabouts } from './domains.ts'
import { createRandom } from './random.ts'

const hour = 3_600_000
const day = 24 * hour

/** What checks have found out; null of those that nobody answers for. */
const statuses: Readonly<Record<Whereabouts, number | null>> = {
  here: externalDomainStatus.ok,
  elsewhere: externalDomainStatus.extern,
  bare: externalDomainStatus.error,
  gone: externalDomainStatus.error,
  // It was well when somebody answered for it last.
  silent: externalDomainStatus.ok,
  refused: null,
}

const reasons: Readonly<Partial<Record<Whereabouts, Message>>> = {
  silent: message('dns_timeout'),
  refused: message('dns_refused'),
}

/**
 * Adds the agency's external domains, with who added each in the log, unless staff have worked with the list already.
 * @param causers ids of users, whoever may have added them
 */
export async function seedExternalDomains(
  db: Transaction,
  causers: readonly number[],
  now: Date,
): Promise<void> {
  const [touched] = await db
    .select({ id: logEntries.id })
    .from(logEntries)
    .where(eq(logEntries.log_name, 'external-domains'))
    .limit(1)
  const [there] = await db.select({ id: externalDomains.id }).from(externalDomains).limit(1)
  if (touched || there) return
  const random = createRandom(1453)
  const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds)
  const rows = await db
    .insert(externalDomains)
    .values(
      externalDomainStories.map(({ fqdn, customer, domainprovider, where, mname }) => {
        const isKnown = where !== 'refused'
        const isThere = where !== 'gone'
        const reason = reasons[where]
        return {
          fqdn,
          fqdn_ascii: comparedDomain(fqdn),
          customer,
          domainprovider,
          status: statuses[where],
          mname: isKnown && isThere ? mname : null,
          // Spread, so that they are not all due at once.
          checked_at: isKnown ? ago((where === 'silent' ? 3 * day : 0) + random.int(1, 20) * hour) : null,
          check_error: reason ? englishText(reason) : null,
          check_error_code: reason?.code ?? null,
          created_at: ago(random.int(30, 900) * day),
          updated_at: ago(random.int(5, 50) * 60_000),
        }
      }),
    )
    .returning()
  const someone = () => causers[random.int(0, Math.min(2, causers.length - 1))] ?? null
  await db.insert(logEntries).values(
    rows.map(({ id, fqdn, customer, domainprovider, created_at }) => ({
      created_at,
      log_name: 'external-domains',
      description: 'created',
      subject_type: 'external_domain',
      subject_id: id,
      causer_id: someone(),
      properties: { attributes: { fqdn, customer, domainprovider } },
    })),
  )
}
