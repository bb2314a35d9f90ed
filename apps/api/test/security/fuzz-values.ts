/** As much of JSON Schema as the API's description uses. */
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

/** Numbers that look random and are the same for the same seed. */
export interface Random {
  /** A whole number from 0 to below the limit. */
  below(limit: number): number
  /** True in one of so many cases. */
  one(of: number): boolean
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
    one: (of) => below(of) === 0,
    pick(values) {
      const value = values[below(values.length)]
      if (value === undefined && !values.includes(value as never)) throw new Error('Nothing to pick from')
      return value as (typeof values)[number]
    },
  }
}

const nested = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`)

/** What no field is made for. */
const oddTexts: readonly string[] = [
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

const oddValues: readonly unknown[] = [
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

/** One in fifteen with NUL, which Postgres takes in no text: what lets it through fails there. */
export const unusualText = (by: Random): string => (by.one(15) ? 'a\u0000b' : by.pick(oddTexts))
export const unusualValue = (by: Random): unknown => (by.one(2) ? unusualText(by) : by.pick(oddValues))

const words = ['ALPEN', 'Hotel', 'Grüße', 'kunde', 'n1', 'mail', 'schnuppertag-probe', '1.0']

/** What a field of this name takes, where its schema alone would hardly ever be met. */
const typical: Readonly<Record<string, (by: Random) => unknown>> = {
  fqdn: (by) => `fuzz-${by.below(400)}.test`,
  email: (by) => `fuzz-${by.below(60)}@kustos.test`,
  // Mostly none: to hash one takes longer than all the rest.
  password: (by) => (by.one(12) ? 'a long pass phrase' : by.pick(['', 'short', 'password1234'])),
  configured_ip: (by) => by.pick(['192.0.2.1', '2001:db8::1']),
  monitoring_web_reporting_channel: (by) => by.pick(['mail', 'slack,mail', '']),
  node: (by) => by.pick(['n1', null]),
  sourceRepo: () => 'web134-kickstarter-base',
  bnName: (by) => `bn${by.below(999)}`,
  futureDomain: (by) => `fuzz-new-${by.below(200)}.test`,
  customer: (by) => by.pick(['ALPEN', '123456']),
  roles: (by) => [1 + by.below(6)],
}

/** A value that the schema lets pass, as far as a schema can tell. */
export function validValue(schema: Schema, schemas: Schemas, by: Random, name = ''): unknown {
  if (schema.$ref !== undefined)
    return validValue(schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}, schemas, by, name)
  const usual = typical[name]
  if (usual !== undefined && !by.one(5)) return usual(by)
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return by.pick(schema.enum)
  if (schema.anyOf !== undefined) return validValue(by.pick(schema.anyOf), schemas, by, name)
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {})
          .filter(([key]) => schema.required?.includes(key) || by.one(2))
          .map(([key, property]) => [key, validValue(property, schemas, by, key)]),
      )
    case 'array':
      return Array.from({ length: by.below(4) }, () => validValue(schema.items ?? {}, schemas, by))
    case 'integer':
    case 'number':
      return 1 + by.below(12)
    case 'boolean':
      return by.one(2)
    case 'null':
      return null
    default:
      return fittingText(schema, by)
  }
}

function fittingText({ format, pattern = '' }: Schema, by: Random): string {
  const day = `202${by.below(10)}-0${1 + by.below(9)}-1${by.below(10)}`
  if (format === 'date') return day
  if (format === 'date-time') return `${day}T0${by.below(10)}:00:00Z`
  if (pattern.includes('[1-9]')) return String(1 + by.below(12))
  return by.pick(words)
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

/** The value with something about it changed that may not fit any more. */
export function mutate(value: unknown, by: Random): unknown {
  if (by.one(12)) return unusualValue(by)
  if (Array.isArray(value)) {
    if (value.length === 0 || by.one(2)) return [...value, unusualValue(by)]
    const at = by.below(value.length)
    return value.map((item, index) => (index === at ? mutate(item, by) : item))
  }
  if (typeof value !== 'object' || value === null) return unusualValue(by)
  const entries = Object.entries(value)
  if (by.one(4)) return { ...value, [by.pick(foreignKeys)]: unusualValue(by) }
  if (entries.length === 0) return unusualValue(by)
  const at = by.below(entries.length)
  if (by.one(5)) return Object.fromEntries(entries.filter((_, index) => index !== at))
  return Object.fromEntries(
    entries.map(([key, item], index) => [
      key,
      index === at ? (by.one(2) ? unusualValue(by) : mutate(item, by)) : item,
    ]),
  )
}
