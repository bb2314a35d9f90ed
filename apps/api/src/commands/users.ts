import { newPassword, newUser } from '@kustos/contract/users'
import { type Command, Refusal, readNewPassword, refusalOf, say, withDatabase } from './command.ts'

export const addUser: Command = {
  name: 'user:create',
  usage: `  user:create EMAIL --name NAME --role ROLE  adds a user; the password comes from standard input
                                             (--role may stand more than once; admin is always there)`,
  positionals: ['EMAIL'],
  options: { name: { type: 'string' }, role: { type: 'string', multiple: true } },
  async run({ positionals: [email], values: { name = email, role: roles = [] } }) {
    if (email === undefined) throw new Refusal('Whose account? Name the EMAIL.')
    const names = Array.isArray(roles) ? roles.map(String) : []
    if (names.length === 0) throw new Refusal('A user needs a role: name it with --role.')
    // Before anybody types a password for nothing.
    const checked = newUser.pick({ email: true, name: true }).safeParse({ email, name })
    if (!checked.success) throw refusalOf(checked.error.issues)
    await withDatabase(async (_, context) => {
      const { createUser, rolesNamed } = await import('@kustos/domain/users')
      const typed = { email, name, roles: await rolesNamed(context, names) }
      const parsed = newUser.safeParse({ ...typed, password: await readNewPassword() })
      if (!parsed.success) throw refusalOf(parsed.error.issues)
      const user = await createUser(context, parsed.data)
      say(`User ${user.id} (${user.email}) was added.`)
    })
  },
}

export const changePassword: Command = {
  name: 'user:password',
  usage: `  user:password EMAIL                        gives a user a new password, which comes from standard input, and
                                             ends all of their sessions`,
  positionals: ['EMAIL'],
  async run({ positionals: [email] }) {
    if (email === undefined) throw new Refusal('Whose password? Name the EMAIL.')
    const parsed = newPassword.safeParse(await readNewPassword())
    if (!parsed.success) {
      throw refusalOf(parsed.error.issues.map((issue) => ({ ...issue, path: ['password'] })))
    }
    await withDatabase(async (_, context) => {
      const { setPassword } = await import('@kustos/domain/users')
      await setPassword(context, email, parsed.data)
    })
    say(`${email} has a new password, and is signed out everywhere.`)
  },
}
