import { login } from '@kustos/contract/auth'
import { expect, it } from 'vitest'
import { loginMistakes } from './login-mistakes.ts'

it.each([
  { email: '', password: '' },
  { email: '  ', password: ' ' },
  { email: 'nobody', password: 'x' },
  { email: 'nobody@kustos', password: 'x' },
  { email: 'no body@kustos.test', password: '' },
  { email: ' nobody@kustos.test ', password: 'x' },
  { email: "o'brien+1@sub.kustos.test", password: 'x' },
])("shows the schema's message for %j", (values) => {
  const issues = login.safeParse(values).error?.issues ?? []
  const messages = issues.toReversed().map(({ path: [field], message }) => [field, message])
  expect(loginMistakes(values)).toEqual(Object.fromEntries(messages))
})
