import { newPassword, newUser } from '@kustos/contract/users'
import { contextOf } from '@kustos/domain/context'
import { createUser, rolesNamed, setPassword } from '@kustos/domain/users'
import { type Command, Refusal, readPassword, refusalOf, say, withDatabase } from './command.ts'

export const addUser: Command = {
  name: 'user:create',
  usage: `  user:create EMAIL --name NAME --role ROLE  adds a user; the password comes from standard input
                                             (--role may stand more than once; admin is always there)`,
  options: { name: { type: 'string' }, role: { type: 'string', multiple: true } },
  async run({ words: [email], values: { name = email, role: roles = [] } }) {
    const names = Array.isArray(roles) ? roles.map(String) : []
    const typed = { email, name, password: await readPassword() }
    await withDatabase(async (database) => {
      const context = contextOf(database)
      const parsed = newUser.safeParse({ ...typed, roles: await rolesNamed(context, names) })
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
  async run({ words: [email] }) {
    if (email === undefined) throw new Refusal('Whose password? Name the EMAIL.')
    const parsed = newPassword.safeParse(await readPassword())
    if (!parsed.success) {
      throw refusalOf(parsed.error.issues.map((issue) => ({ ...issue, path: ['password'] })))
    }
    await withDatabase((database) => setPassword(contextOf(database), email, parsed.data))
    say(`${email} has a new password, and is signed out everywhere.`)
  },
}
