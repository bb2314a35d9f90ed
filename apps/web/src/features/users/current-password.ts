import { issue } from '@kustos/contract/messages'

interface Values {
  readonly email: string
  readonly password: string
  readonly current_password: string
}

/** Whether users change what they sign in with, which needs their current password. */
export const needsCurrentPassword = (
  { email, password }: Values,
  user: { readonly email: string },
): boolean => password !== '' || email.trim() !== user.email

export const checkCurrentPassword = (values: Values, user: { readonly email: string }) =>
  needsCurrentPassword(values, user) && values.current_password === ''
    ? { current_password: issue('password_required') }
    : {}
