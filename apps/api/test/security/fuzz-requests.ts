import {
  createRandom,
  mutate,
  type Random,
  type Schema,
  type Schemas,
  unusualText,
  unusualValue,
  validValue,
} from './fuzz-values.ts'

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly required?: boolean
  readonly schema: Schema
}

/** The parts of /api/openapi.json that requests are made from. */
export interface OpenApiDocument {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly parameters?: readonly Parameter[]
            readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
            readonly responses: Readonly<Record<string, unknown>>
          }
        >
      >
    >
  >
  readonly components: { readonly schemas: Schemas }
}

export interface Operation {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly parameters: readonly Parameter[]
  readonly body: Schema | null
  readonly statuses: readonly number[]
}

export const operationsOf = ({ paths }: OpenApiDocument): readonly Operation[] =>
  Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { parameters = [], requestBody, responses }]) => ({
        name: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        path,
        parameters,
        body: requestBody?.content['application/json']?.schema ?? null,
        statuses: Object.keys(responses).map(Number),
      })),
    )
    .sort((a, b) => (a.name < b.name ? -1 : 1))

export interface FuzzRequest {
  readonly number: number
  readonly as: string
  readonly operation: Operation
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  /** Statuses that its faults may be answered with, besides what the description says of the operation. */
  readonly also: readonly number[]
}

/** Who asks: most as those who may, or nothing beyond the permissions would be reached. */
const callers = ['admin', 'admin', 'admin', 'admin', 'manager', 'viewer', 'nobody'] as const
export type Caller = (typeof callers)[number] | 'leaver'

/** What ends or replaces the session that asks is asked by one with nothing else to do. */
const leavings: readonly string[] = ['POST /api/logout', 'POST /api/login']

/** Each operation in turn, so that none is left out; exports, each of which is a file made in a thread, in one of thirty turns. */
function operationOf(number: number, operations: readonly Operation[]): Operation {
  const [turn, at] = [Math.floor(number / operations.length), number % operations.length]
  const operation = operations[at]
  if (operation === undefined) throw new Error('There is no operation')
  return operation.path.includes('/export') && turn % 30 > 0
    ? operationOf(
        turn * operations.length + ((at + turn) % operations.length),
        operations.filter((one) => one !== operation),
      )
    : operation
}

/** The request of this number: the same for the same seed, whatever became of those before it. */
export function requestOf(
  number: number,
  seed: number,
  operations: readonly Operation[],
  schemas: Schemas,
): FuzzRequest {
  const by = createRandom(Math.imul(seed + number, 0x9e3779b1))
  const operation = operationOf(number, operations)
  const also = new Set<number>()
  const path = pathOf(operation, by, also)
  const query = queryOf(operation, schemas, by)
  const { body, type } = bodyOf(operation, schemas, by, also)
  const headers = {
    ...(type !== null && { 'content-type': type }),
    ...(by.one(20) && { 'x-http-method-override': by.pick(['DELETE', 'PUT', 'GET']) }),
    ...(by.one(20) && { 'accept-encoding': by.pick(['br', 'gzip;q=0', '*', ';;q=,']) }),
    ...(by.one(20) && { 'if-none-match': by.pick(['*', '"', 'W/"x"', ',,,']) }),
    ...(by.one(20) && { 'x-forwarded-for': by.pick(['127.0.0.1', 'nobody', '::ffff:0:0,1']) }),
    ...(by.one(20) && { accept: by.pick(['text/html', '*/*;q=9', 'ÿ']) }),
  }
  if (headers['if-none-match'] !== undefined) also.add(304)
  const as = leavings.includes(operation.name) && !by.one(4) ? 'leaver' : by.pick(callers)
  return {
    number,
    as: as === 'admin' && operation.path === '/api/logout' ? 'leaver' : as,
    operation,
    url: path + query,
    headers,
    body,
    also: [...also],
  }
}

const oddPathParts = ['%2e%2e', '%2F', '%5c', '%00', '1%20', '1;x=1', '1/', '%', '%zz', '%C0%AF', '%25%32%65']

function pathOf({ path }: Operation, by: Random, also: Set<number>): string {
  return path.replace(/\{\w+\}/g, () => {
    if (!by.one(5)) return String(1 + by.below(14))
    // Not well-formed, unknown, over-long, or another route's path altogether, empty among them.
    for (const status of [400, 404, 405, 414]) also.add(status)
    return by.one(2) ? by.pick(oddPathParts) : encoded(unusualText(by))
  })
}

const oddKeys = [
  '__proto__',
  'constructor[prototype][x]',
  'a[b]',
  '',
  '%',
  '%00',
  'deleted',
  'limit',
  '_method',
]
const gridKeys = [
  'q',
  'sort',
  'sets',
  'f.fqdn',
  'f.customer',
  'f.id',
  'f.status',
  'f.cert_expiration',
  'lang',
]
const gridTexts = [
  'regex:(a+)+$',
  'regex:[',
  'regex:\\',
  '-fqdn',
  'any-of:',
  '>:0',
  '<:x',
  'not:',
  'empty',
  'de',
]

function queryOf({ path, parameters }: Operation, schemas: Schemas, by: Random): string {
  const own = parameters.filter((parameter) => parameter.in === 'query')
  const isGrid = path.includes('/export')
  const pairs = own.flatMap(({ name, required = false, schema }) => {
    if (!required && by.one(2)) return []
    const value = by.one(3) ? unusualText(by) : String(validValue(schema, schemas, by, name))
    const pair = `${name}=${encoded(value)}`
    return by.one(15) ? [pair, pair] : [pair]
  })
  if (isGrid && !by.one(3))
    pairs.push(`${by.pick(gridKeys)}=${encoded(by.one(3) ? unusualText(by) : by.pick(gridTexts))}`)
  if (by.one(6))
    pairs.push(`${by.pick(oddKeys)}=${by.one(3) ? by.pick(oddPathParts) : encoded(unusualText(by))}`)
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

/** Short enough for a request's head; what is longer has tests of its own. */
const encoded = (text: string): string => encodeURIComponent(text.slice(0, 1_000).toWellFormed())

function bodyOf(
  { method, body: schema }: Operation,
  schemas: Schemas,
  by: Random,
  also: Set<number>,
): { body: string | null; type: string | null } {
  if (method === 'GET' && !by.one(25)) return { body: null, type: null }
  const none = schema === null
  if (none && !by.one(6)) return { body: null, type: null }
  // A body that nobody asked for may be small at most.
  if (none) also.add(413)
  let value = none ? unusualValue(by) : validValue(schema, schemas, by)
  while (by.one(2)) value = mutate(value, by)
  const json = JSON.stringify(value)
  const type = 'application/json'
  if (!by.one(8)) return { body: json, type }
  // Beyond what a schema could speak of.
  for (const status of [400, 413, 415, 422]) also.add(status)
  return by.pick([
    { body: json.slice(0, by.below(json.length + 1)), type },
    { body: `${json}x`, type },
    { body: `\ufeff${json}`, type },
    { body: json.replace('{', '{"__proto__":{"is_admin":true},'), type },
    { body: json.replace('{', '{"constructor":{"prototype":{"is_admin":true}},'), type },
    { body: json.replace(/\d+/, '1e400'), type },
    { body: json.replace('{', '{"fqdn":"twice.test","name":7,'), type },
    { body: `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`, type },
    { body: `{"comment":"${'x'.repeat(270_000)}"}`, type },
    { body: json, type: 'text/plain' },
    { body: json, type: 'application/x-www-form-urlencoded' },
    { body: json, type: 'multipart/form-data; boundary=x' },
    { body: json, type: 'application/json; charset=utf-16' },
    { body: json, type: 'application/json;' },
    { body: json, type: 'nonsense' },
    { body: json, type: null },
  ])
}
