import type { Dns, RecordsResult } from '@kustos/clients/dns'
import type { MailSafety } from '@kustos/contract/domains'
import { watchedDomains } from '@kustos/database/tables'
import { asc, eq, lte, sql } from 'drizzle-orm'
import pLimit from 'p-limit'
import type { Context } from '../platform/context.ts'
import { checkMailSafety, type MailDns } from './mail/index.ts'

export interface MailCounts {
  readonly checked: number
  /** Domains of which a part could not be looked up. */
  readonly unknown: number
}

const concurrency = 8
/** In one run; a day has 1,440 runs. */
const maxDomains = 100
const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** How long findings stay after lookups have begun to fail. */
const keptMs = 3 * dayMs

/**
 * Checks the e-mail security of domains that are due: a day after the last check, an hour after one that was incomplete.
 * @param selectors the DKIM selectors that are looked up
 * @returns null if nothing was due
 */
export async function checkDueMail(
  context: Context,
  dns: Dns,
  selectors: readonly string[],
  signal: AbortSignal,
): Promise<MailCounts | null> {
  const { db, now } = context
  const due = await db
    .select({
      id: watchedDomains.id,
      name: watchedDomains.name,
      domain: watchedDomains.domain,
      mail: watchedDomains.mail,
      wasDueAt: watchedDomains.mail_due_at,
    })
    .from(watchedDomains)
    .where(lte(watchedDomains.mail_due_at, now()))
    .orderBy(asc(watchedDomains.mail_due_at))
    .limit(maxDomains)
  if (due.length === 0) return null
  const limit = pLimit(concurrency)
  const sum = { checked: due.length, unknown: 0 }
  await Promise.all(
    due.map((row) =>
      limit(async () => {
        const found = await checkMailSafety(row.name, row.domain, selectors, createMailDns(dns, signal))
        const isIncomplete = found.findings.some(({ severity }) => severity === 'unknown')
        if (isIncomplete) sum.unknown += 1
        await store(context, row, { ...found, checked_at: now().toISOString() }, isIncomplete)
      }),
    ),
  )
  return sum
}

interface Due {
  readonly id: number
  readonly mail: MailSafety | null
  readonly wasDueAt: Date | null
}

async function store(
  context: Context,
  { id, mail, wasDueAt }: Due,
  found: MailSafety,
  isIncomplete: boolean,
): Promise<void> {
  const now = context.now()
  const isKept = isIncomplete && mail !== null && now.getTime() - Date.parse(mail.checked_at) < keptMs
  const dueInMs = isIncomplete ? hourMs : dayMs * (0.95 + ((id * 7919) % 1000) / 10_000)
  await context.db.transaction(async (tx) => {
    await context.assertLease?.(tx)
    await tx
      .update(watchedDomains)
      .set({
        // A different time means that the domain has become due again meanwhile, or was unlisted.
        mail_due_at: sql`case when ${watchedDomains.mail_due_at} = ${wasDueAt?.toISOString() ?? null}::timestamptz
          then ${new Date(now.getTime() + dueInMs).toISOString()}::timestamptz else ${watchedDomains.mail_due_at} end`,
        ...(!isKept && { mail: found, mail_state: found.state }),
      })
      .where(eq(watchedDomains.id, id))
  })
}

/** Remembers the answers of one check, in which records include each other. */
function createMailDns(dns: Dns, signal: AbortSignal): MailDns {
  const answers = new Map<string, Promise<RecordsResult>>()
  const ask = async (name: string, type: 'TXT' | 'MX' | 'A' | 'AAAA') => {
    const key = `${type} ${name}`
    const asked = answers.get(key) ?? dns.records(name, type, { signal })
    answers.set(key, asked)
    const answer = await asked
    return answer.outcome === 'answered'
      ? { records: answer.records }
      : { records: null, reason: answer.reason }
  }
  return {
    txt: (name) => ask(name, 'TXT'),
    mx: (name) => ask(name, 'MX'),
    async addresses(name) {
      const [ipv4, ipv6] = await Promise.all([ask(name, 'A'), ask(name, 'AAAA')])
      const records = [...(ipv4.records ?? []), ...(ipv6.records ?? [])]
      if (records.length > 0) return { records }
      return ipv4.records === null ? ipv4 : ipv6
    },
  }
}
