import type { z } from 'zod'

type Issue = Parameters<z.core.$ZodErrorMap>[0]

const kinds: Readonly<Record<string, string>> = {
  string: 'Must be a text',
  number: 'Must be a number',
  int: 'Must be a whole number',
  boolean: 'Must be true or false',
  array: 'Must be a list',
  object: 'Must be an object',
}

const formats: Readonly<Record<string, string>> = {
  datetime: 'Must be a time like 2026-01-31T12:00:00Z',
  date: 'Must be a date like 2026-01-31',
}

const notValid = 'Is not valid'

/** What is wrong with an input, as staff would say it, where its schema says nothing of its own. */
export function inputSentence(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'Is missing' : (kinds[issue.expected] ?? notValid)
    case 'invalid_value':
      return oneOf(issue.values)
    case 'invalid_union': {
      const values = issue.errors.flat().flatMap((inner) => ('values' in inner ? inner.values : []))
      return values.length === 0 ? notValid : oneOf(values)
    }
    case 'invalid_format':
      return formats[issue.format] ?? notValid
    case 'too_big':
      return issue.origin === 'string'
        ? `Can't be longer than ${issue.maximum} characters`
        : `At most ${issue.maximum}`
    case 'too_small':
      return issue.origin === 'string' ? notValid : `At least ${issue.minimum}`
    default:
      return notValid
  }
}

const oneOf = (values: readonly unknown[]) =>
  values.length === 1 ? `Must be ${values[0]}` : `Must be one of ${values.join(', ')}`
