/** The parts of JSON Schema that the API's description uses. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly format?: string
  readonly pattern?: string
  readonly maxLength?: number
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}
export type Schemas = Readonly<Record<string, Schema>>

/** A reproducible random generator. */
export interface Random {
  /** An integer from 0 (inclusive) to the limit (exclusive). */
  below(limit: number): number
  /** True with a probability of 1/n. */
  oneIn(n: number): boolean
  pick<Value>(values: readonly Value[]): Value
}

/** Mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let bits = Math.imul(state ^ (state >>> 15), state | 1)
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61)
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    below,
    oneIn: (n) => below(n) === 0,
    pick(values) {
      const value = values[below(values.length)]
      if (value === undefined && !values.includes(value as never)) throw new Error('Nothing to pick from')
      return value as (typeof values)[number]
    },
  }
}

const nested = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`)

/** Texts that most fields do not expect. */
const unusualTexts: readonly string[] = [
  '',
  ' ',
  '0',
  '-1',
  '1.5',
  '1e3',
  '0x10',
  'NaN',
  'null',
  'true',
  'undefined',
  '2147483647',
  '2147483648',
  '9007199254740993',
  '99999999999999999999',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202egnp.exe',
  '\ufeff',
  '🦉'.repeat(40),
  'e\u0301'.repeat(60),
  'ＫＵＳＴＯＳ',
  'İstanbul',
  '\r\nSet-Cookie: a=b',
  "'; drop table users; --",
  "' or 1=1 --",
  '$1',
  '\\',
  '%',
  '%s%n',
  '../../etc/passwd',
  '#{7*7}',
  '{{7*7}}',
  '<img src=x onerror=alert(1)>',
  '=cmd|/c calc!A1',
  '__proto__',
  'constructor',
  'toString',
  'a.test',
  'xn--a.test',
  `${'a'.repeat(64)}.test`,
  `${'a.'.repeat(130)}test`,
  '::1',
  '192.0.2.256',
  'a@b',
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999999999Z',
  '9999-12-31T23:59:59-23:59',
  '2026-02-29T00:00:00Z',
  '2026-03-29T02:30:00+01:00',
  '0000-01-01',
  '9999-12-31',
  '2026-01-31',
  'x'.repeat(255),
  'x'.repeat(256),
  'x'.repeat(10_001),
]

const unusualValues: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1,
  1.5,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 53,
  1e308,
  {},
  [],
  [null],
  [[]],
  { id: 1 },
  [{ id: 1 }],
  { length: 3 },
  { toString: 1 },
  nested(60),
  Array.from({ length: 101 }, (_, index) => index + 1),
  Array.from({ length: 2_000 }, () => ({})),
]

/** One in fifteen contains NUL, which Postgres rejects, so that missing validation fails. */
export const unusualText = (random: Random): string =>
  random.oneIn(15) ? 'a\u0000b' : random.pick(unusualTexts)
export const unusualValue = (random: Random): unknown =>
  random.oneIn(2) ? unusualText(random) : random.pick(unusualValues)

const words = ['ALPEN', 'Hotel', 'Grüße', 'kunde', 'n1', 'mail', 'schnuppertag-probe', '1.0']

/** Generators of valid values for fields whose schema is too general. */
const fieldGenerators: Readonly<Record<string, (random: Random) => unknown>> = {
  fqdn: (random) => `fuzz-${random.below(400)}.test`,
  email: (random) => `fuzz-${random.below(60)}@kustos.test`,
  // Mostly invalid, because hashing is slow.
  password: (random) =>
    random.oneIn(12) ? 'a long pass phrase' : random.pick(['', 'short', 'password1234']),
  configured_ip: (random) => random.pick(['192.0.2.1', '2001:db8::1']),
  monitoring_web_reporting_channel: (random) => random.pick(['mail', 'slack,mail', '']),
  node: (random) => random.pick(['n1', null]),
  sourceRepo: () => 'web134-kickstarter-base',
  bnName: (random) => `bn${random.below(999)}`,
  futureDomain: (random) => `fuzz-new-${random.below(200)}.test`,
  customer: (random) => random.pick(['ALPEN', '123456']),
  roles: (random) => [1 + random.below(6)],
}

/** Generates a value that is valid according to the schema. */
export function generateValid(schema: Schema, schemas: Schemas, random: Random, name = ''): unknown {
  if (schema.$ref !== undefined)
    return generateValid(schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}, schemas, random, name)
  const usual = fieldGenerators[name]
  if (usual !== undefined && !random.oneIn(5)) return usual(random)
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return random.pick(schema.enum)
  if (schema.anyOf !== undefined) return generateValid(random.pick(schema.anyOf), schemas, random, name)
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {})
          .filter(([key]) => schema.required?.includes(key) || random.oneIn(2))
          .map(([key, property]) => [key, generateValid(property, schemas, random, key)]),
      )
    case 'array':
      return Array.from({ length: random.below(4) }, () => generateValid(schema.items ?? {}, schemas, random))
    case 'integer':
    case 'number':
      return 1 + random.below(12)
    case 'boolean':
      return random.oneIn(2)
    case 'null':
      return null
    default:
      return generateText(schema, random)
  }
}

function generateText({ format, pattern = '' }: Schema, random: Random): string {
  const day = `202${random.below(10)}-0${1 + random.below(9)}-1${random.below(10)}`
  if (format === 'date') return day
  if (format === 'date-time') return `${day}T0${random.below(10)}:00:00Z`
  if (pattern.includes('[1-9]')) return String(1 + random.below(12))
  return random.pick(words)
}

const foreignKeys = [
  'id',
  'created_at',
  'deleted_at',
  'password_hash',
  'is_admin',
  'permissions',
  '_method',
  'constructor',
  '',
]

/** Changes a part of the value, which may become invalid. */
export function mutate(value: unknown, random: Random): unknown {
  if (random.oneIn(12)) return unusualValue(random)
  if (Array.isArray(value)) {
    if (value.length === 0 || random.oneIn(2)) return [...value, unusualValue(random)]
    const at = random.below(value.length)
    return value.map((item, index) => (index === at ? mutate(item, random) : item))
  }
  if (typeof value !== 'object' || value === null) return unusualValue(random)
  const entries = Object.entries(value)
  if (random.oneIn(4)) return { ...value, [random.pick(foreignKeys)]: unusualValue(random) }
  if (entries.length === 0) return unusualValue(random)
  const at = random.below(entries.length)
  if (random.oneIn(5)) return Object.fromEntries(entries.filter((_, index) => index !== at))
  return Object.fromEntries(
    entries.map(([key, item], index) => [
      key,
      index === at ? (random.oneIn(2) ? unusualValue(random) : mutate(item, random)) : item,
    ]),
  )
}
