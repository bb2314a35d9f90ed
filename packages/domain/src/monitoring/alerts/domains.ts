import type { WarningSeverity } from '@kustos/contract/alert-routes'
import type { DnsType } from '@kustos/contract/domains'
import type { ReportingChannel } from '@kustos/contract/webs'
import type { Transaction } from '@kustos/database/client'
import type { AlertEvent } from '@kustos/database/tables'
import { type RoutedTargets, routeWarnings, type WarnedOf } from '../../alert-routes/index.ts'
import { linkTo } from '../../platform/mail.ts'
import { toWarningEvent } from './alert-event.ts'
import {
  type ComposedAlert,
  formatDuration,
  formatMoment,
  minListed,
  targetsOf,
  truncateList,
} from './message-parts.ts'
import { writeAlerts } from './outbox.ts'
import { readReaches } from './routing.ts'
import type { AlertSettings } from './tools.ts'

interface DomainNews {
  /** In ASCII. */
  readonly domain: string
  readonly customers: readonly string[]
  readonly channels: readonly ReportingChannel[]
  /** By what alert routes are chosen. */
  readonly about: WarnedOf
}

/** A confirmed change of DNS records. */
export interface DnsChange extends DomainNews {
  readonly host: string
  readonly type: DnsType
  readonly from: readonly string[]
  readonly to: readonly string[]
  readonly since: Date
}

/** A registration that ends soon or has ended. */
export interface ExpiringDomain extends DomainNews {
  readonly expiresAt: Date
}

const maxRecordsNamed = 5

type Settings = AlertSettings & { readonly now: Date }

/** Writes alerts of changed records, one for each domain. @returns their ids, as `announce` does */
export async function announceDnsChanges(
  db: Transaction,
  all: readonly DnsChange[],
  { now, ...settings }: Settings,
): Promise<readonly number[]> {
  const changes = await addRoutedTo(db, 'dns', all, { ...settings, now })
  const byDomain = [...Map.groupBy(changes, ({ domain }) => domain)]
  const lines = (some: readonly DnsChange[]) =>
    some.map(({ host, type, from, to }) => `${host} ${type}: ${formatRecords(from)} → ${formatRecords(to)}`)
  const titleOf = (some: readonly DnsChange[]) =>
    `DNS of ${some[0]?.domain}: ${[...new Set(some.map(({ type }) => type))].join(', ')} changed`
  const eventOf = (some: readonly DnsChange[]) =>
    toWarningEvent(
      'dns',
      'warning',
      some.map((one) => ({
        kind: 'dns',
        id: null,
        name: `${one.host}-${one.type}`,
        title: lines([one])[0] ?? '',
      })),
    )
  const messages =
    byDomain.length < minListed
      ? byDomain.map(([domain, ofDomain]) =>
          compose(ofDomain, eventOf(ofDomain), {
            title: titleOf(ofDomain),
            lines: [
              ...customerLine(ofDomain),
              ...lines(ofDomain),
              `Since: ${formatMoment(ofDomain[0]?.since ?? now)}`,
            ],
            ...linkTo(settings.publicUrl, domainPath(domain)),
          }),
        )
      : [
          compose(changes, eventOf(changes), {
            title: `DNS of ${byDomain.length} domains changed`,
            lines: [...customerLine(changes), ...truncateList(lines(changes))],
            ...linkTo(settings.publicUrl, '/limitis/alldomains'),
          }),
        ]
  return writeAlerts(db, messages, settings, now)
}

/** Writes alerts of registrations that end. @returns their ids, as `announce` does */
export async function announceExpiringDomains(
  db: Transaction,
  all: readonly ExpiringDomain[],
  { now, ...settings }: Settings,
): Promise<readonly number[]> {
  const domains = await addRoutedTo(db, 'domain', all, { ...settings, now })
  const when = ({ expiresAt }: ExpiringDomain) => {
    const seconds = Math.floor((expiresAt.getTime() - now.getTime()) / 1000)
    return seconds <= 0 ? 'has expired' : `expires in ${formatDuration(seconds)}`
  }
  const titleOf = (one: ExpiringDomain) => `The domain ${one.domain} ${when(one)}`
  const eventOf = (some: readonly ExpiringDomain[]) =>
    toWarningEvent(
      'domain',
      some.some(({ expiresAt }) => expiresAt <= now) ? 'critical' : 'warning',
      some.map((one) => ({ kind: 'domain', id: null, name: one.domain, title: titleOf(one) })),
    )
  const messages =
    domains.length < minListed
      ? domains.map((one) =>
          compose([one], eventOf([one]), {
            title: titleOf(one),
            lines: [...customerLine([one]), `End: ${formatMoment(one.expiresAt)}`],
            ...linkTo(settings.publicUrl, domainPath(one.domain)),
          }),
        )
      : domains.length === 0
        ? []
        : [
            compose(domains, eventOf(domains), {
              title: `Domains that expire soon or have expired: ${domains.length}`,
              lines: truncateList(
                domains.map(
                  (one) =>
                    `${one.domain} (${one.customers.join(', ') || '–'}): ${formatMoment(one.expiresAt)}, ${when(one)}`,
                ),
              ),
              ...linkTo(settings.publicUrl, '/limitis/alldomains'),
            }),
          ]
  return writeAlerts(db, messages, settings, now)
}

type Routed<News extends DomainNews> = News & { readonly routed: RoutedTargets | undefined }

/** Adds those whom routes tell, by the websites of the domains, and by customers who have none there. */
async function addRoutedTo<News extends DomainNews>(
  db: Transaction,
  severity: WarningSeverity,
  news: readonly News[],
  { now, ...settings }: Settings,
): Promise<Routed<News>[]> {
  const routed = await routeWarnings(
    db,
    severity,
    news.map(({ about }) => about),
    await readReaches(db, settings),
    now,
  )
  return news.map((one, index) => ({ ...one, routed: routed[index]?.targets }))
}

const compose = (
  all: readonly Routed<DomainNews>[],
  event: AlertEvent,
  content: ComposedAlert['content'],
): ComposedAlert => ({
  content,
  event,
  ...targetsOf(
    all.map(({ channels, routed }) => ({ channels: routed?.replacesChannels ? [] : channels, routed })),
  ),
})

const domainPath = (domain: string) => `/domains/${encodeURIComponent(domain)}`

function customerLine(all: readonly DomainNews[]): readonly string[] {
  const customers = [...new Set(all.flatMap((one) => one.customers))]
  if (customers.length === 0) return []
  return [`${customers.length === 1 ? 'Customer' : 'Customers'}: ${truncateList(customers).join(', ')}`]
}

/** The records in one line; a dash for none. */
export function formatRecords(records: readonly string[]): string {
  if (records.length === 0) return '–'
  const named = records.slice(0, maxRecordsNamed).join(', ')
  return records.length > maxRecordsNamed ? `${named} (+ ${records.length - maxRecordsNamed})` : named
}
