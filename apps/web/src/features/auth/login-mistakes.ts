import type { Login } from '@kustos/contract/auth'
import { issue } from '@kustos/contract/messages'
import { regexes } from 'zod/v4/core'

/**
 * The errors that the contract's `login` schema reports for each field. The schema would add zod to the login screen.
 */
export function loginMistakes({ email, password }: Pick<Login, 'email' | 'password'>) {
  const address = email.trim()
  return {
    ...(address === ''
      ? { email: issue('email_required') }
      : !regexes.email.test(address) && { email: issue('email_invalid') }),
    ...(password === '' && { password: issue('password_required') }),
  }
}
