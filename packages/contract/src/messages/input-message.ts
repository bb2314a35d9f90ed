import type { z } from 'zod'
import { issue } from './message.ts'

type Issue = Parameters<z.core.$ZodErrorMap>[0]

const types = new Map([
  ['string', 'not_a_text'],
  ['number', 'not_a_number'],
  ['int', 'not_an_integer'],
  ['boolean', 'not_a_boolean'],
  ['array', 'not_a_list'],
  ['object', 'not_an_object'],
] as const)

/** The message of a zod issue whose schema has none, for zod's `error` option. */
export function inputMessage(wrong: Issue): string {
  switch (wrong.code) {
    case 'invalid_type':
      return issue(
        wrong.input === undefined ? 'missing' : (types.get(wrong.expected as 'string') ?? 'invalid'),
      )
    case 'invalid_value':
      return oneOf(wrong.values)
    case 'invalid_union': {
      const values = wrong.errors.flat().flatMap((inner) => ('values' in inner ? inner.values : []))
      return values.length === 0 ? issue('invalid') : oneOf(values)
    }
    case 'invalid_format':
      if (wrong.format === 'datetime') return issue('not_a_time')
      return issue(wrong.format === 'date' ? 'not_a_date' : 'invalid')
    case 'too_big':
      return issue(wrong.origin === 'string' ? 'too_long' : 'at_most', { max: Number(wrong.maximum) })
    case 'too_small':
      return wrong.origin === 'string' ? issue('invalid') : issue('at_least', { min: Number(wrong.minimum) })
    default:
      return issue('invalid')
  }
}

const oneOf = (values: readonly unknown[]) =>
  values.length === 1
    ? issue('not_the_value', { value: String(values[0]) })
    : issue('not_one_of', { values: values.join(', ') })
