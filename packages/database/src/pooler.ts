import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { applicationRole, ensureApplicationRole } from './application-role.ts'
import { type OpenDatabase, sessionSettings } from './client.ts'

/** Sentences for the operator. */
export interface PoolerProblem {
  readonly text: string
  readonly advice: string
}

interface Session {
  readonly login: string
  readonly database: string
  /** Of this database on this server. */
  readonly identity: string
  /** The names of the settings. */
  readonly different: readonly string[]
  readonly isOwner: boolean | null
}

/**
 * Looks whether sessions behind a pooler are as safe as direct ones, which bring their settings along
 * (docs/decisions/0025-pool-statements-by-transaction.md).
 * @param direct the database without the pooler
 * @returns null if they are
 */
export async function findPoolerProblem(
  pooled: Pick<OpenDatabase, 'pool'>,
  direct: Pick<OpenDatabase, 'pool'>,
): Promise<PoolerProblem | null> {
  const { identity } = await readSession(direct.pool)
  const client = await pooled.pool.connect()
  try {
    // Both statements run in the same session.
    await client.query('begin')
    const session = await readSession(client)
    const tracksNames = await tracksPreparedStatements(client)
    await client.query('rollback')
    client.release()
    return judge(session, identity, tracksNames)
  } catch (error) {
    client.release(true)
    throw error
  }
}

/**
 * Creates the login behind a pooler, or updates its password, rights and settings, so that findPoolerProblem finds none. Sessions
 * that the pooler has open keep their old settings.
 * @param url of a login that may create roles
 * @param poolerUrl names the login, its password and the database
 * @throws Error with a sentence for the operator if the URL lacks one of them, names a login that owns tables, or the right is missing
 */
export async function setPoolerLogin(url: string, poolerUrl: string): Promise<{ readonly login: string }> {
  const { username, password, pathname } = new URL(poolerUrl)
  const [login, secret, database] = [username, password, pathname.slice(1)].map(decodeURIComponent)
  if (!login || !secret || !database)
    throw new Error('DATABASE_POOLER_URL has to name a login, its password and the database.')
  const client = new pg.Client({
    connectionString: url,
    application_name: 'kustos-command-line',
    connectionTimeoutMillis: 5_000,
  })
  // A broken connection also fails the statement under way.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await ensureApplicationRole(client)
    const { rows } = await client.query<{ isOwner: boolean }>(
      `select rolsuper or pg_has_role(oid, current_user, 'member') as "isOwner" from pg_roles where rolname = $1`,
      [login],
    )
    const [known] = rows
    if (known?.isOwner)
      throw new Error(
        `The login ${login} may act as the owner of the tables. Let DATABASE_POOLER_URL name another.`,
      )
    const role = pg.escapeIdentifier(login)
    await client.query('begin')
    if (!known) await client.query(`create role ${role} noinherit`)
    await client.query(`alter role ${role} login noinherit password ${pg.escapeLiteral(secret)}`)
    await client.query(`grant ${applicationRole} to ${role} with inherit false, set true`)
    await client.query(settingStatements({ login, database }))
    await client.query('commit')
    return { login }
  } finally {
    await client.end()
  }
}

function judge(session: Session, identity: string, tracksNames: boolean): PoolerProblem | null {
  if (session.identity !== identity)
    return {
      text: `The pooler leads to another database, ${session.database}.`,
      advice: 'DATABASE_POOLER_URL and DATABASE_URL have to lead to the same one.',
    }
  if (session.different.length > 0)
    return {
      text: `Sessions behind the pooler lack settings of Kustos: ${session.different.join(', ')}.`,
      advice: `Let a superuser run ${settingStatements(session)} Then let PgBouncer RECONNECT.`,
    }
  if (session.isOwner)
    return {
      text: `The login behind the pooler, ${session.login}, may act as the owner of the tables.`,
      advice: 'Give DATABASE_POOLER_URL a login that owns nothing (docs/operations.md).',
    }
  return tracksNames
    ? null
    : {
        text: 'The pooler does not know prepared statements.',
        advice: 'Use PgBouncer 1.21 or newer with pool_mode = transaction and max_prepared_statements = 200.',
      }
}

async function readSession(client: pg.ClientBase | pg.Pool): Promise<Session> {
  const { rows } = await client.query<Session>(
    `select session_user as login, current_database() as database,
      concat_ws(' ', extract(epoch from pg_postmaster_start_time()), (select oid from pg_database where datname = current_database())) as identity,
      array(
        select name from unnest($1::text[], $2::text[]) as wanted (name, value) where current_setting(name) <> value
      ) as different,
      pg_has_role(
        session_user, (select relowner from pg_class where oid = to_regclass('public.log_entries')), 'member'
      ) as "isOwner"`,
    [Object.keys(sessionSettings), Object.values(sessionSettings)],
  )
  const [session] = rows
  if (session === undefined) throw new Error('Postgres returned no row')
  return session
}

/** A pooler that tracks them gives them names of its own in Postgres. Otherwise other clients would miss them or meet them. */
async function tracksPreparedStatements(client: pg.ClientBase): Promise<boolean> {
  const name = `kustos_${randomUUID()}`
  const { rows } = await client.query<{ isKept: boolean }>({
    name,
    text: 'select exists (select from pg_prepared_statements where name = $1) as "isKept"',
    values: [name],
  })
  return rows[0]?.isKept === false
}

const settingStatements = ({ login, database }: Pick<Session, 'login' | 'database'>) =>
  Object.entries(sessionSettings)
    .map(
      ([name, value]) =>
        `alter role ${pg.escapeIdentifier(login)} in database ${pg.escapeIdentifier(database)} set ${name} = ${pg.escapeLiteral(value)};`,
    )
    .join(' ')
