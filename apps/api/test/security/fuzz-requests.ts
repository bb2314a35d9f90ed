import { routes } from '../routes.ts'
import {
  createRandom,
  generateValid,
  mutate,
  type Random,
  type Schema,
  type Schemas,
  unusualText,
  unusualValue,
} from './fuzz-values.ts'

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly required?: boolean
  readonly schema: Schema
}

/** The parts of /api/openapi.json that requests are generated from. */
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

const publicOperations = new Set(
  Object.values(routes)
    .filter(({ access }) => access === 'public')
    .map(({ method, path }) => `${method} ${path}`),
)

export const listOperations = ({ paths }: OpenApiDocument): readonly Operation[] =>
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
  /** Statuses that its mutations may cause, in addition to those of the description. */
  readonly extraStatuses: readonly number[]
}

/** Mostly privileged callers, because other requests end at the permission check. */
const callers = ['admin', 'admin', 'admin', 'admin', 'manager', 'viewer', 'nobody'] as const
export type Caller = (typeof callers)[number] | 'signOut' | 'revoked'

/** Operations that end or replace the session need their own caller. */
const sessionOperations: readonly string[] = ['POST /api/logout', 'POST /api/login']

const isExport = (path: string) => path.startsWith('/api/webs/export')

/** Each operation in turn; exports, which are slow, in one of ten turns. */
function selectOperation(number: number, operations: readonly Operation[]): Operation {
  const [turn, at] = [Math.floor(number / operations.length), number % operations.length]
  const operation = operations[at]
  if (operation === undefined) throw new Error('There is no operation')
  return isExport(operation.path) && turn % 10 > 0
    ? selectOperation(
        turn * operations.length + ((at + turn) % operations.length),
        operations.filter((candidate) => candidate !== operation),
      )
    : operation
}

function selectCaller(
  number: number,
  { name, path }: Operation,
  operations: readonly Operation[],
  random: Random,
): FuzzRequest['as'] {
  // There are so few exports that most of them have to be permitted.
  if (isExport(path) && Math.floor(number / operations.length) % 20 === 0) return 'admin'
  const as = sessionOperations.includes(name) && !random.oneIn(4) ? 'signOut' : random.pick(callers)
  return as === 'admin' && path === '/api/logout' ? 'signOut' : as
}

/** Generates a request that depends only on its number and the seed. */
export function generateRequest(
  number: number,
  seed: number,
  operations: readonly Operation[],
  schemas: Schemas,
): FuzzRequest {
  const random = createRandom(Math.imul(seed + number, 0x9e3779b1))
  const operation = selectOperation(number, operations)
  const extraStatuses = new Set<number>()
  const path = generatePath(operation, random, extraStatuses)
  const query = generateQuery(operation, schemas, random)
  const { body, type } = generateBody(operation, schemas, random, extraStatuses)
  const headers = {
    ...(type !== null && { 'content-type': type }),
    ...(random.oneIn(20) && { 'x-http-method-override': random.pick(['DELETE', 'PUT', 'GET']) }),
    ...(random.oneIn(20) && { 'accept-encoding': random.pick(['br', 'gzip;q=0', '*', ';;q=,']) }),
    ...(random.oneIn(20) && { 'if-none-match': random.pick(['*', '"', 'W/"x"', ',,,']) }),
    ...(random.oneIn(20) && { 'x-forwarded-for': random.pick(['127.0.0.1', 'nobody', '::ffff:0:0,1']) }),
    ...(random.oneIn(20) && { accept: random.pick(['text/html', '*/*;q=9', 'ÿ']) }),
  }
  if (headers['if-none-match'] !== undefined) extraStatuses.add(304)
  return {
    number,
    as: selectCaller(number, operation, operations, random),
    operation,
    url: path + query,
    headers,
    body,
    extraStatuses: [...extraStatuses],
  }
}

const unusualPathParts = [
  '%2e%2e',
  '%2F',
  '%5c',
  '%00',
  '1%20',
  '1;x=1',
  '1/',
  '%',
  '%zz',
  '%C0%AF',
  '%25%32%65',
]

function generatePath({ path }: Operation, random: Random, extraStatuses: Set<number>): string {
  return path.replace(/\{\w+\}/g, () => {
    if (!random.oneIn(5)) return String(1 + random.below(14))
    // The segment may be malformed, unknown, too long, empty, or the path of another route.
    for (const status of [400, 404, 405, 414]) extraStatuses.add(status)
    return random.oneIn(2) ? random.pick(unusualPathParts) : encodeText(unusualText(random))
  })
}

const unusualKeys = [
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

function generateQuery({ path, parameters }: Operation, schemas: Schemas, random: Random): string {
  const own = parameters.filter((parameter) => parameter.in === 'query')
  const isGrid = path.includes('/export')
  const pairs = own.flatMap(({ name, required = false, schema }) => {
    if (!required && random.oneIn(2)) return []
    const value = random.oneIn(3) ? unusualText(random) : String(generateValid(schema, schemas, random, name))
    const pair = `${name}=${encodeText(value)}`
    return random.oneIn(15) ? [pair, pair] : [pair]
  })
  if (isGrid && !random.oneIn(3))
    pairs.push(
      `${random.pick(gridKeys)}=${encodeText(random.oneIn(3) ? unusualText(random) : random.pick(gridTexts))}`,
    )
  if (random.oneIn(6))
    pairs.push(
      `${random.pick(unusualKeys)}=${random.oneIn(3) ? random.pick(unusualPathParts) : encodeText(unusualText(random))}`,
    )
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

/** Encodes a text, short enough for the request line. */
const encodeText = (text: string): string => encodeURIComponent(text.slice(0, 1_000).toWellFormed())

function generateBody(
  { name, method, body: schema }: Operation,
  schemas: Schemas,
  random: Random,
  extraStatuses: Set<number>,
): { body: string | null; type: string | null } {
  if (method === 'GET' && !random.oneIn(25)) return { body: null, type: null }
  const none = schema === null
  if (none && !random.oneIn(6)) return { body: null, type: null }
  // Their size limit is lower.
  if (none || publicOperations.has(name)) extraStatuses.add(413)
  let value = none ? unusualValue(random) : generateValid(schema, schemas, random)
  while (random.oneIn(2)) value = mutate(value, random)
  const json = JSON.stringify(value)
  const type = 'application/json'
  if (!random.oneIn(8)) return { body: json, type }
  // Mutations that a schema cannot describe.
  for (const status of [400, 413, 415, 422]) extraStatuses.add(status)
  return random.pick([
    { body: json.slice(0, random.below(json.length + 1)), type },
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
