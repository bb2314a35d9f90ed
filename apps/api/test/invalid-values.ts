import fc from 'fast-check'

/** Path segments that are not ids. */
export const invalidIds = [
  '0',
  '-1',
  '1.5',
  '1e3',
  'NaN',
  'abc',
  '2147483648',
  '99999999999999999999',
  '%00',
  '%20',
  "1'--",
  '../nothing',
  '..%2f..%2fetc%2fpasswd',
  'constructor',
  '__proto__',
]

/** JSON values of every kind, and values that often cause errors. */
const unusualValue = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(
    null,
    -1,
    2 ** 53,
    1e308,
    '',
    '\u0000',
    '\ud800',
    '🦉',
    [],
    {},
    true,
    "'; drop table webs; --",
  ),
  fc.constantFrom(
    ['\u0000'],
    [2 ** 31],
    [-1],
    '2026-11-20T12:00:00Z',
    '9999999-01-01',
    'a.test',
    '::1',
    'mail',
  ),
  fc.string({ unit: 'binary', maxLength: 300 }),
)

/** Some of these fields, each with an unusual value. */
export const invalidFields = (fields: readonly string[], maxKeys = fields.length) =>
  fc.dictionary(fc.constantFrom(...fields), unusualValue, { minKeys: 1, maxKeys, noNullPrototype: true })
