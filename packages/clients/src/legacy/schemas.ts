import { z } from 'zod'
import { LegacyError } from './errors.ts'
import {
  booleanLike,
  listOf,
  namedReference,
  normalizeList,
  nullIfMissing,
  optionalId,
  optionalInt,
  optionalSize,
  optionalText,
  optionalTimestamp,
  optionalWholeNumber,
  requiredText,
  text,
  wholeNumber,
  wordList,
} from './value-schemas.ts'

const times = { created_at: optionalTimestamp, updated_at: optionalTimestamp }

const hosts = listOf(z.union([z.object({ fqdn: text }).transform(({ fqdn }) => fqdn), text]))

/** Missing values are null. All text can be stored in Postgres. */
const web = z
  .object({
    id: optionalId,
    fqdn: text,
    customer: text,
    node: z
      .union([optionalText, z.object({ name: optionalText }).transform(({ name }) => name)])
      .transform((name) => name ?? null),
    categories: listOf(namedReference),
    framework_name: optionalText,
    framework_version: optionalText,
    comment: optionalText,
    configured_ip: text,
    monitoring_web_reporting_channel: wordList,
    monitoring_web_active: z
      .union([booleanLike, z.null().transform(() => false)])
      .optional()
      .transform((active) => active ?? null),
    auftragnr_hosting: wordList,
    status: optionalInt,
    domain_status: optionalInt,
    domain_state: optionalInt,
    http_status_code: optionalInt.transform((code) => (code === 0 ? null : code)),
    sites: hosts,
    aliases: hosts,
    sysuser: optionalText,
    cert_ca: optionalText,
    cert_expiration: optionalTimestamp,
    /** In bytes. */
    disk_usage: optionalSize,
    tracking_data: nullIfMissing(z.unknown()),
    metadata: z
      .union([z.object({ topics: wordList }), z.array(z.unknown()), z.literal(''), z.null()])
      .optional()
      .transform((metadata) => (metadata && 'topics' in metadata ? metadata.topics : [])),
    ...times,
    deleted_at: optionalTimestamp,
  })
  .transform(({ metadata: topics, ...row }) => ({ ...row, topics }))

const node = z.object({
  name: requiredText,
  plesk_fqdn: optionalText,
  cloud_enabled: nullIfMissing(booleanLike),
})

export const category = z.object({ id: optionalId, name: requiredText })

export const role = z.object({
  id: optionalId,
  name: requiredText,
  permissions: nullIfMissing(
    listOf(namedReference).transform((all) => all.flatMap(({ name }) => name ?? [])),
  ),
  ...times,
})

export const user = z.object({
  id: optionalId,
  email: text,
  name: text,
  roles: listOf(namedReference),
  monitoring_mail_subscription: booleanLike.nullish().transform((subscribed) => subscribed ?? false),
  ...times,
  deleted_at: optionalTimestamp,
})

const registeredDomain = z.object({
  id: optionalId,
  customer: text,
  fqdn: text,
  status: optionalInt,
  mname: optionalText,
  checked_at: optionalTimestamp,
  check_error: optionalText,
  ...times,
})

export const ownDomain = registeredDomain.transform((row) => ({ ...row, domainprovider: '' }))

export const externalDomain = registeredDomain.extend({ domainprovider: text })

export const email = z.object({
  id: optionalId,
  customer: text,
  address: text,
  type: text,
  created_at: optionalTimestamp,
})

/** Values that the former system does not count are null. */
export const day = z.object({
  /** YYYY-MM-DD */
  date: z
    .string()
    .transform((date) => date.slice(0, 10))
    .pipe(z.iso.date()),
  /** In seconds. */
  downtime: wholeNumber,
  checks: optionalWholeNumber,
  failures: optionalWholeNumber,
  response_time_ms: optionalWholeNumber,
  response_time_p95_ms: optionalWholeNumber,
  /** Seconds without monitoring. */
  unknown: optionalWholeNumber,
})

export type LegacyWeb = z.output<typeof web>
export type LegacyNode = z.output<typeof node>
export type LegacyCategory = z.output<typeof category>
export type LegacyRole = z.output<typeof role>
export type LegacyUser = z.output<typeof user>
export type LegacyDomain = z.output<typeof externalDomain>
export type LegacyEmail = z.output<typeof email>
export type LegacyDay = z.output<typeof day>
export type LegacyInventory = ReturnType<typeof readInventory>

/** The readable rows of a list, and sentences about the unreadable ones. */
export interface LegacyRows<Row> {
  readonly rows: readonly Row[]
  readonly wrong: readonly string[]
}

/** The webs with the nodes and categories beside them. */
export const readInventory = (response: unknown) => ({
  webs: readRows(response, 'webs', web),
  nodes: readRows(fieldsOf(response).nodes, 'nodes', node),
  categories: readRows(fieldsOf(response).categories, 'categories', category),
})

/**
 * Reads a list, which may be under `data`, and reports unreadable rows, and whether it is only a first page.
 * @param what the list is called in the plural
 * @throws {LegacyError} if it is not a list
 */
export function readRows<Row>(response: unknown, what: string, schema: z.ZodType<Row>): LegacyRows<Row> {
  const fields = fieldsOf(response)
  const list = normalizeList('data' in fields ? fields.data : response)
  if (!Array.isArray(list)) throw new LegacyError('unreadable', `The former system's ${what} are not a list.`)
  const rows: Row[] = []
  const wrong = hasNextPage(fields)
    ? [`The former system lists ${what} in pages, and only the first one was read.`]
    : []
  for (const [index, entry] of list.entries()) {
    const parsed = schema.safeParse(entry)
    if (parsed.success) rows.push(parsed.data)
    else wrong.push(`${nameOf(entry, index)}: ${issuesOf(parsed.error)}.`)
  }
  return { rows, wrong }
}

/** In the fields of Laravel's paginators and resource collections. */
const hasNextPage = ({ next_page_url: url, links }: Readonly<Record<string, unknown>>): boolean =>
  [url, fieldsOf(links).next].some((next) => typeof next === 'string')

/** The fields of an object; none of another value. */
const fieldsOf = (value: unknown) => z.record(z.string(), z.unknown()).safeParse(value).data ?? {}

const issuesOf = ({ issues }: z.ZodError) =>
  issues
    .slice(0, 3)
    .map(({ path, message }) => `${path.join('.') || 'row'}: ${message}`)
    .join('; ')

/** Returns a name for an unreadable row. */
function nameOf(entry: unknown, index: number): string {
  const { id, fqdn, email, address, name } = fieldsOf(entry)
  const called = [fqdn, email, address, name].find((value) => typeof value === 'string' && value !== '')
  const number = typeof id === 'number' || typeof id === 'string' ? ` (id ${id})` : ''
  return typeof called === 'string' ? `${called.slice(0, 100)}${number}` : `row ${index + 1}${number}`
}
