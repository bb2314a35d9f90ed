import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { sessionSettings } from '../src/client.ts'
import { findUnixUser } from '../src/embedded/unix-user.ts'
import type { TestDatabase } from './index.ts'
import { freePort, waitForPort } from './port.ts'

export interface TestPooler {
  /** Leads to the database as `login`. */
  readonly url: string
  /** Owns nothing, and may act as the role of the application. */
  readonly login: string
  /** Runs statements of PgBouncer's console. */
  administer(statement: string): Promise<void>
  stop(): Promise<void>
}

const program = process.env.PGBOUNCER ?? 'pgbouncer'
/** The first to know prepared statements in transaction pooling. */
const oldestVersion = [1, 21]

/** @returns null with a message if no PgBouncer that Kustos works with is on the PATH or at $PGBOUNCER */
export async function findPgBouncer(): Promise<string | null> {
  const version = await promisify(execFile)(program, ['--version']).then(
    ({ stdout }) => /^PgBouncer (\d+)\.(\d+)/.exec(stdout)?.slice(1).map(Number) ?? [],
    () => [],
  )
  const [major = 0, minor = 0] = version
  const [oldestMajor = 0, oldestMinor = 0] = oldestVersion
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return program
  const found = version.length === 0 ? 'none is there' : `it is ${version.join('.')}`
  process.stderr.write(
    `PgBouncer is not tested: ${found}, but ${oldestVersion.join('.')} or newer is needed on the PATH or at $PGBOUNCER.\n`,
  )
  return null
}

/** Starts PgBouncer in transaction pooling in front of a test database. Its sessions of Postgres have no settings yet. */
export async function startPgBouncer(
  executable: string,
  { owner, url }: TestDatabase,
  settings: Readonly<Record<string, string | number>> = {},
): Promise<TestPooler> {
  const login = `pooled_${randomBytes(6).toString('hex')}`
  await owner.pool.query(`create role ${login} login password 'plain' noinherit`)
  await owner.pool.query(`grant kustos_application to ${login} with inherit false, set true`)
  const [folder, port, user] = await Promise.all([
    mkdtemp(join(tmpdir(), 'kustos-pgbouncer-')),
    freePort(),
    findUnixUser(),
  ])
  await chmod(folder, 0o755)
  const { hostname, port: postgresPort, pathname } = new URL(url)
  const file = join(folder, 'pgbouncer.ini')
  const lines = Object.entries({
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'any',
    admin_users: 'admin',
    pool_mode: 'transaction',
    max_prepared_statements: 200,
    ...settings,
  }).map(([name, value]) => `${name} = ${value}`)
  await writeFile(
    file,
    `[databases]
* = host=${hostname} port=${postgresPort} user=${login} password=plain
[pgbouncer]
${lines.join('\n')}
`,
  )
  const child = spawn(executable, ['--quiet', file], { stdio: 'ignore', ...user })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const stopWaiting = new AbortController()
  await Promise.race([waitForPort(port, stopWaiting.signal), exited])
  stopWaiting.abort()
  if (child.exitCode !== null) throw new Error(`PgBouncer ended with ${child.exitCode}`)
  return {
    url: `postgres://${login}@127.0.0.1:${port}${pathname}`,
    login,
    async administer(statement) {
      const client = new pg.Client(`postgres://admin@127.0.0.1:${port}/pgbouncer`)
      await client.connect()
      await client.query(statement).finally(() => client.end())
    },
    async stop() {
      child.kill('SIGTERM')
      await exited
      await rm(folder, { recursive: true })
      await owner.pool.query(`drop role ${login}`)
    },
  }
}

/** Gives the sessions of a pooler the settings of the application. */
export async function configurePooler(
  { owner }: TestDatabase,
  { login, administer }: TestPooler,
): Promise<void> {
  const { rows } = await owner.pool.query<{ name: string }>('select current_database() as name')
  for (const [setting, value] of Object.entries(sessionSettings))
    await owner.pool.query(`alter role ${login} in database ${rows[0]?.name} set ${setting} = '${value}'`)
  await administer('reconnect')
}
