import type { User, UserChange } from '@kustos/contract/users'

/** The values of the form. Empty passwords are not sent. */
export interface UserForm {
  readonly name: string
  readonly email: string
  readonly password: string
  /** Entered by users who edit themselves. */
  readonly current_password: string
  readonly roles: number[]
  readonly monitoring_mail_subscription: boolean
}

export const emptyUserForm: UserForm = {
  name: '',
  email: '',
  password: '',
  current_password: '',
  roles: [],
  monitoring_mail_subscription: false,
}

export const userToForm = ({ name, email, roles, monitoring_mail_subscription }: User): UserForm => ({
  name,
  email,
  password: '',
  current_password: '',
  roles: roles.map(({ id }) => id),
  monitoring_mail_subscription,
})

export function formToChange(
  { password, current_password, ...form }: UserForm,
  { updated_at }: User,
): UserChange {
  return {
    ...form,
    updated_at,
    ...(password !== '' && { password }),
    ...(current_password !== '' && { current_password }),
  }
}
