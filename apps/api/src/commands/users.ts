import { newPassword, newUser } from '@kustos/contract/users'
import {
  type Command,
  CommandError,
  print,
  readNewPassword,
  toCommandError,
  withDatabase,
} from './command.ts'

export const createUserCommand: Command = {
  name: 'user:create',
  usage: `  user:create EMAIL [--name NAME] --role ROLE
                                             creates a user; the password is read from standard input
                                             (repeat --role for several roles; the role admin always exists)`,
  positionals: ['EMAIL'],
  options: { name: { type: 'string' }, role: { type: 'string', multiple: true } },
  async run({ positionals: [email], values: { name = email, role: roles = [] } }) {
    if (email === undefined) throw new CommandError('EMAIL is missing.')
    const roleNames = Array.isArray(roles) ? roles.map(String) : []
    if (roleNames.length === 0) throw new CommandError('A user needs at least one role: add --role.')
    // Checked before the password is entered.
    const checked = newUser.pick({ email: true, name: true }).safeParse({ email, name })
    if (!checked.success) throw toCommandError(checked.error.issues)
    await withDatabase(async (_, context) => {
      const { createUser, findRolesByName } = await import('@kustos/domain/users')
      const input = { email, name, roles: await findRolesByName(context, roleNames) }
      const parsed = newUser.safeParse({ ...input, password: await readNewPassword() })
      if (!parsed.success) throw toCommandError(parsed.error.issues)
      const user = await createUser(context, parsed.data)
      print(`User ${user.id} (${user.email}) was created.`)
    })
  },
}

export const changePasswordCommand: Command = {
  name: 'user:password',
  usage: `  user:password EMAIL                        sets a user's password, read from standard input, and ends all of
                                             their sessions and what failed sign-ins have locked`,
  positionals: ['EMAIL'],
  async run({ positionals: [email] }) {
    if (email === undefined) throw new CommandError('EMAIL is missing.')
    const parsed = newPassword.safeParse(await readNewPassword())
    if (!parsed.success) {
      throw toCommandError(parsed.error.issues.map((issue) => ({ ...issue, path: ['password'] })))
    }
    await withDatabase(async (_, context) => {
      const { setPassword } = await import('@kustos/domain/users')
      await setPassword(context, email, parsed.data)
    })
    print(`The password of ${email} was changed, and all of their sessions were ended.`)
  },
}
