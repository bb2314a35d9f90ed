import { asciiFqdn, domainStatus, webStatus } from '@kustos/contract/webs'
import type { webs } from '@kustos/database/tables'
import { findBehaviour, getStatus } from './behaviours.ts'
import { createCertificate } from './certificates.ts'
import { seedNodes } from './nodes-and-categories.ts'
import type { Random } from './random.ts'
import { createTrackingData } from './tracking.ts'

type WebRow = typeof webs.$inferInsert

/** The given facts of a web; all others are derived or random. */
export interface WebDefinition {
  readonly fqdn: string
  readonly customer: string
  readonly categories: readonly string[]
  /** Null if the web is on someone else's machine. If undefined, node and health are random; all others are healthy. */
  readonly node?: string | null
  /** Name and version, such as `TYPO3 12.4.31`. */
  readonly framework?: string | null
  readonly topics?: readonly string[]
  readonly deletedDaysAgo?: number
  /** Columns with a fixed value. */
  readonly columns?: Partial<Omit<WebRow, 'fqdn' | 'fqdn_ascii' | 'customer'>>
}

export interface SeedWeb {
  readonly row: Omit<WebRow, 'node_id'>
  readonly node: string | null
  readonly categories: readonly string[]
}

const dayMs = 24 * 3600 * 1000
const mib = 1024 * 1024

const weights = {
  status: { 0: 90, 16: 8, 2: 1, 4: 1 },
  domainStatus: { 1: 88, 2: 7, 3: 5 },
  domainState: { 1: 55, 2: 20, 3: 25 },
  httpStatus: { 200: 90, 301: 4, 302: 1, 403: 1, 404: 2, 500: 1, 503: 1 },
  channels: { 'mail,slack': 3, slack: 5, mail: 2, 'slack,mail,telegram': 1, '': 2 },
  orders: { 0: 2, 1: 8, 2: 2, 3: 1 },
  aliases: { 0: 5, 1: 4, 2: 2, 3: 1 },
} as const

export function buildWeb(definition: WebDefinition, random: Random, now: Date): SeedWeb {
  const { fqdn, customer, categories, framework, topics = [], deletedDaysAgo, columns = {} } = definition
  const ascii = asciiFqdn(fqdn)
  if (ascii === null) throw new Error(`${fqdn} is not a host name`)
  const daysAgo = (days: number) => new Date(now.getTime() - days * dayMs)
  const isRandom = definition.node === undefined
  const node = isRandom
    ? random.pick(seedNodes)
    : (seedNodes.find(({ name }) => name === definition.node) ?? null)
  const [, name, version] = /^(.*?)(?: (\S+))?$/.exec(framework ?? '') ?? []
  const createdDaysAgo = random.int(40, 4000)
  const row: SeedWeb['row'] = {
    fqdn,
    fqdn_ascii: ascii,
    customer,
    framework_name: name || null,
    framework_version: version ?? null,
    comment: null,
    configured_ip: node?.address ?? `203.0.113.${random.int(100, 250)}`,
    monitoring_web_reporting_channel: random.weighted(weights.channels),
    monitoring_web_active: random.chance(0.9) || findBehaviour(ascii).kind !== 'steady',
    auftragnr_hosting: Array.from(
      { length: Number(random.weighted(weights.orders)) },
      () => `AB-${random.int(17, 26)}-${random.int(10_000, 99_999)}`,
    ),
    ...drawReachability(!isRandom, random),
    ...drawOtherNames(fqdn, random),
    sysuser: node === null ? null : `${systemUserPrefix(fqdn)}_${random.hex(4)}`,
    disk_usage: node === null ? null : random.int(90 * mib, 900 * mib) * 2 ** random.int(0, 6),
    tracking_data: random.chance(0.92) ? createTrackingData(random, ascii, now) : null,
    topics: [...topics],
    tags: [],
    created_at: daysAgo(createdDaysAgo),
    updated_at: daysAgo(random.int(0, Math.min(createdDaysAgo, 200)) + random.next()),
    deleted_at: deletedDaysAgo === undefined ? null : daysAgo(deletedDaysAgo),
    ...columns,
  }
  return { row: { ...row, ...observe(row, now), ...columns }, node: node?.name ?? null, categories }
}

/** Where the domain points, and what answered there, without contradictions. */
function drawReachability(isHealthy: boolean, random: Random) {
  const status = Number(random.weighted(weights.status))
  const domainStatus = isHealthy ? 1 : Number(random.weighted(weights.domainStatus))
  const hasAnswered = domainStatus === 1 || (domainStatus === 2 && random.chance(0.7))
  const httpStatus = Number(random.weighted(weights.httpStatus))
  return {
    status: isHealthy ? 0 : status,
    domain_status: domainStatus,
    domain_state: Number(random.weighted(weights.domainState)),
    http_status_code: hasAnswered ? (isHealthy ? 200 : httpStatus) : null,
  }
}

/** Returns the result of probing the sandbox's site. */
function observe(row: SeedWeb['row'], now: Date) {
  const behaviour = findBehaviour(row.fqdn_ascii)
  const isOnline = row.domain_status === domainStatus.online
  const isProbed = row.status === webStatus.active && isOnline && row.monitoring_web_active
  const certificate =
    isOnline || row.http_status_code !== null ? createCertificate(row.fqdn_ascii, now) : null
  return {
    http_status_code:
      isProbed || behaviour.kind !== 'steady' ? getStatus(behaviour, now) : (row.http_status_code ?? null),
    cert_ca: certificate?.authority ?? null,
    cert_expiration: certificate?.until ?? null,
  }
}

function drawOtherNames(fqdn: string, random: Random) {
  const root = fqdn.replace(/^www\./, '')
  const sites = random.chance(0.25) ? ['staging', 'archiv'].slice(0, random.int(1, 2)) : []
  const aliases = [root === fqdn ? `www.${root}` : root, root.replace(/\.test$/, '-online.test'), `m.${root}`]
  return {
    sites: sites.map((label) => ({ fqdn: `${label}.${root}` })),
    aliases: aliases.slice(0, Number(random.weighted(weights.aliases))).map((alias) => ({ fqdn: alias })),
  }
}

/** Only characters that the name of a system user may have. */
const systemUserPrefix = (fqdn: string): string =>
  fqdn
    .replace(/^www\./, '')
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replace(/[^a-z0-9]/g, '')
    .slice(0, 10)
