import { asciiFqdn, domainStatus, webStatus } from '@kustos/contract/webs'
import type { webs } from '@kustos/database/tables'
import { behaviourOf, statusOf } from './behaviours.ts'
import { certificateOf } from './certificates.ts'
import { type CategoryName, type NodeName, type SeedNode, seedNodes } from './places.ts'
import type { Random } from './random.ts'
import { trackingOf } from './tracking.ts'

type WebRow = typeof webs.$inferInsert

/** What is told of a web; all the rest follows from it and from chance. */
export interface WebStory {
  readonly fqdn: string
  readonly customer: string
  readonly categories: readonly CategoryName[]
  /** Null for a web that is not on a machine of ours. */
  readonly node?: NodeName | null
  /** Name and version, such as `TYPO3 12.4.31`. */
  readonly framework?: string | null
  readonly topics?: readonly string[]
  /** Active, online and answering; else all of that is left to chance. */
  readonly healthy?: boolean
  /** Days since it was deleted. */
  readonly deleted?: number
  /** Columns that the story fixes. */
  readonly columns?: Partial<Omit<WebRow, 'fqdn' | 'fqdn_ascii' | 'customer'>>
}

/** A story in one line; all is well with the web unless its columns say otherwise. */
export const story = (
  fqdn: string,
  customer: string,
  framework: string | null,
  node: NodeName | null,
  categories: readonly CategoryName[],
  more: Pick<WebStory, 'topics' | 'deleted' | 'columns'> = {},
): WebStory => ({ fqdn, customer, framework, node, categories, healthy: true, ...more })

export interface SeedWeb {
  readonly row: Omit<WebRow, 'node_id'>
  readonly node: string | null
  readonly categories: readonly string[]
}

const day = 24 * 3600 * 1000
const mib = 1024 * 1024

/** How often each value is to be met, in relation to the others. */
const often = {
  status: { 0: 90, 16: 8, 2: 1, 4: 1 },
  domainStatus: { 1: 88, 2: 7, 3: 5 },
  domainState: { 1: 55, 2: 20, 3: 25 },
  httpStatus: { 200: 90, 301: 4, 302: 1, 403: 1, 404: 2, 500: 1, 503: 1 },
  channels: { 'mail,slack': 3, slack: 5, mail: 2, 'slack,mail,telegram': 1, '': 2 },
  orders: { 0: 2, 1: 8, 2: 2, 3: 1 },
  aliases: { 0: 5, 1: 4, 2: 2, 3: 1 },
} as const

/** Makes the whole row out of a story. */
export function webOf(story: WebStory, random: Random, now: Date): SeedWeb {
  const ascii = asciiFqdn(story.fqdn)
  if (ascii === null) throw new Error(`${story.fqdn} is no host name`)
  const after = (days: number) => new Date(now.getTime() + days * day)
  const chosen = seedNodes.find(({ name }) => name === story.node) ?? null
  const node = story.node === undefined ? random.pick<SeedNode>(seedNodes) : chosen
  const [, name, version] = /^(.*?)(?: (\S+))?$/.exec(story.framework ?? '') ?? []
  const created = random.int(40, 4000)
  const row: SeedWeb['row'] = {
    fqdn: story.fqdn,
    fqdn_ascii: ascii,
    customer: story.customer,
    framework_name: name || null,
    framework_version: version ?? null,
    comment: null,
    configured_ip: node?.ip ?? `203.0.113.${random.int(100, 250)}`,
    monitoring_web_reporting_channel: random.weighted(often.channels),
    monitoring_web_active: random.chance(0.9) || behaviourOf(ascii).kind !== 'steady',
    auftragnr_hosting: many(
      random,
      often.orders,
      () => `AB-${random.int(17, 26)}-${random.int(10_000, 99_999)}`,
    ),
    ...reachability(story, random),
    ...names(story.fqdn, random),
    sysuser: node === null ? null : `${systemName(story.fqdn)}_${random.hex(4)}`,
    disk_usage: node === null ? null : random.int(90 * mib, 900 * mib) * 2 ** random.int(0, 6),
    tracking_data: random.chance(0.92) ? trackingOf(random, ascii, now) : null,
    topics: [...(story.topics ?? [])],
    created_at: after(-created),
    updated_at: after(-random.int(0, Math.min(created, 200)) - random.next()),
    deleted_at: story.deleted === undefined ? null : after(-story.deleted),
    ...story.columns,
  }
  return { row: { ...row, ...seen(row, story, now) }, node: node?.name ?? null, categories: story.categories }
}

/** Where the domain points and what answered there some time; none of it contradicts the rest. */
function reachability({ healthy = false }: WebStory, random: Random) {
  const status = Number(random.weighted(often.status))
  const domainStatus = healthy ? 1 : Number(random.weighted(often.domainStatus))
  const answers = domainStatus === 1 || (domainStatus === 2 && random.chance(0.7))
  const code = Number(random.weighted(often.httpStatus))
  return {
    status: healthy ? 0 : status,
    domain_status: domainStatus,
    domain_state: Number(random.weighted(often.domainState)),
    http_status_code: answers ? (healthy ? 200 : code) : null,
  }
}

/** What the sandbox's hosted sites show, where the story does not fix it: what is probed is as the probe will see it. */
function seen(row: SeedWeb['row'], { columns = {} }: WebStory, now: Date) {
  const host = row.fqdn_ascii
  const behaviour = behaviourOf(host)
  const probed =
    row.status === webStatus.active && row.domain_status === domainStatus.online && row.monitoring_web_active
  const code = probed || behaviour.kind !== 'steady' ? statusOf(behaviour, now) : row.http_status_code
  // What is away, or has not been looked at, shows no certificate.
  const certificate =
    row.domain_status === domainStatus.online || row.http_status_code !== null
      ? certificateOf(host, now)
      : null
  return {
    http_status_code: columns.http_status_code === undefined ? (code ?? null) : columns.http_status_code,
    cert_ca: columns.cert_ca === undefined ? (certificate?.authority ?? null) : columns.cert_ca,
    cert_expiration:
      columns.cert_expiration === undefined ? (certificate?.until ?? null) : columns.cert_expiration,
  }
}

/** Further names under which the web, or others in its subscription, can be reached. */
function names(fqdn: string, random: Random) {
  const root = fqdn.replace(/^www\./, '')
  const sites = random.chance(0.25) ? ['staging', 'archiv'].slice(0, random.int(1, 2)) : []
  const aliases = [root === fqdn ? `www.${root}` : root, root.replace(/\.test$/, '-online.test'), `m.${root}`]
  return {
    sites: sites.map((label) => ({ fqdn: `${label}.${root}` })),
    aliases: aliases.slice(0, Number(random.weighted(often.aliases))).map((alias) => ({ fqdn: alias })),
  }
}

const many = <T>(random: Random, weights: Readonly<Record<string, number>>, make: () => T): T[] =>
  Array.from({ length: Number(random.weighted(weights)) }, make)

/** The beginning of the name, as a system user may be called. */
const systemName = (fqdn: string): string =>
  fqdn
    .replace(/^www\./, '')
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replace(/[^a-z0-9]/g, '')
    .slice(0, 10)
