import { type Command, CommandError, print, requireConfiguration } from './command.ts'

export const setPoolerLoginCommand: Command = {
  name: 'pooler:login',
  usage: `  pooler:login                               creates the login of DATABASE_POOLER_URL in Postgres, or updates it;
                                             DATABASE_OWNER_URL or DATABASE_URL has to be a login that may`,
  async run() {
    const {
      DATABASE_URL: url,
      DATABASE_OWNER_URL: owner = url,
      DATABASE_POOLER_URL: poolerUrl,
    } = requireConfiguration()
    if (poolerUrl === undefined) throw new CommandError('DATABASE_POOLER_URL is missing.')
    const { setPoolerLogin } = await import('@kustos/database/pooler')
    const { login } = await setPoolerLogin(owner, poolerUrl)
    print(`${login} can work behind a pooler.`)
  },
}
