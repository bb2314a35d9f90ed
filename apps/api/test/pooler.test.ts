import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '@kustos/database/client'
import { configurePooler, findPgBouncer, startPgBouncer, testDatabase } from '@kustos/database/testing'
import { checkInstallation } from '@kustos/domain/doctor'
import { readConfiguration } from '@kustos/domain/platform/configuration'
import { sql } from 'drizzle-orm'
import { afterAll, expect, it, onTestFinished, vi } from 'vitest'
import { createUser, listen, signIn } from './api-client.ts'
import { startProgram } from './start-program.ts'

const executable = await findPgBouncer()
const database = await testDatabase()
await createUser(database, 'staff@kustos.test', 'admin')
// Differs from what Kustos uses.
const { pathname } = new URL(database.url)
await database.owner.pool.query(`alter database ${pathname.slice(1)} set timezone = 'Europe/Rome'`)

function testSettings(executable: string): void {
  const start = async (settings: Readonly<Record<string, string | number>> = {}) => {
    const pooler = await startPgBouncer(executable, database, settings)
    onTestFinished(() => pooler.stop())
    return pooler
  }

  async function readRefusal(program: 'api' | 'worker', url: string) {
    const { child, readOutput } = await startProgram(program, database.url, { DATABASE_POOLER_URL: url })
    await once(child, 'exit')
    expect(child.exitCode).toBe(1)
    return readOutput()
  }

  async function checkPooler(url: string) {
    const read = readConfiguration({ DATABASE_URL: database.url, DATABASE_POOLER_URL: url })
    if (!read.ok) throw new Error(read.sentence)
    return (await checkInstallation(read.configuration, database)).filter(
      ({ subject }) => subject === 'pooler',
    )
  }

  it.each(['api', 'worker'] as const)('the %s refuses sessions that lack its settings', async (program) => {
    const pooler = await start()
    const refusal = await readRefusal(program, pooler.url)
    expect(refusal).toContain(
      'lack settings of Kustos: role, timezone, statement_timeout, idle_in_transaction_session_timeout.',
    )
    // The advice is what helps.
    const [, statements = ''] = /Let a superuser run (.*;) Then/.exec(refusal) ?? []
    await database.owner.pool.query(statements)
    await pooler.administer('reconnect')
    expect(await checkPooler(pooler.url)).toEqual([
      { subject: 'pooler', state: 'ok', text: expect.stringContaining('127.0.0.1') },
    ])
  })

  it('the API refuses a pooler that leads to another database', async () => {
    const pooler = await start()
    const refusal = await readRefusal('api', pooler.url.replace(pathname, '/postgres'))
    expect(refusal).toContain('The pooler leads to another database, postgres.')
  })

  it('the API refuses a login that may act as the owner of the tables', async () => {
    const pooler = await start()
    await configurePooler(database, pooler)
    const { rows } = await database.owner.pool.query<{ owner: string }>(
      "select tableowner as owner from pg_tables where tablename = 'log_entries'",
    )
    await database.owner.pool.query(`grant ${rows[0]?.owner} to ${pooler.login} with inherit false`)
    expect(await readRefusal('api', pooler.url)).toContain('may act as the owner of the tables')
  })

  it('the API refuses a pooler that does not know prepared statements', async () => {
    const pooler = await start({ max_prepared_statements: 0 })
    await configurePooler(database, pooler)
    expect(await readRefusal('api', pooler.url)).toContain('max_prepared_statements')
    expect(await checkPooler(pooler.url)).toMatchObject([{ state: 'error' }])
  })

  it.each([
    ['api', 'Server listening'],
    ['worker', 'worker started'],
  ] as const)('the %s starts if the login has the settings', async (program, started) => {
    const pooler = await start()
    await configurePooler(database, pooler)
    const { child, readOutput } = await startProgram(program, database.url, {
      DATABASE_POOLER_URL: pooler.url,
    })
    await vi.waitFor(() => expect(readOutput()).toContain(started), { timeout: 60_000 })
    expect(child.exitCode).toBeNull()
  })
}

/** With fewer sessions of Postgres than connections. */
async function testPooling(executable: string): Promise<void> {
  const settings = { default_pool_size: 2, query_wait_timeout: 1, max_client_conn: 20 }
  const pooler = await startPgBouncer(executable, database, settings)
  afterAll(() => pooler.stop())
  await configurePooler(database, pooler)
  const pooled = openDatabase(pooler.url, { isPooled: true, max: 10 })
  afterAll(() => pooled.close())
  const origin = await listen({ ...database, ...pooled })

  it('serves requests that prepare statements on any session', async () => {
    const staff = await signIn(origin, 'staff@kustos.test')
    for (let round = 0; round < 5; round++) {
      const responses = await Promise.all(Array.from({ length: 20 }, () => staff.fetch('/api/users/current')))
      expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
    }
  })

  it('keeps the log append-only', async () => {
    await expect(pooled.pool.query('delete from log_entries')).rejects.toThrow(/permission denied/)
  })

  it('tells of each change', async () => {
    const staff = await signIn(origin, 'staff@kustos.test')
    const closing = new AbortController()
    onTestFinished(() => closing.abort())
    const events = await staff.fetch('/api/events', { signal: closing.signal })
    const web = { fqdn: 'pooled.test', customer: 'A', configured_ip: '192.0.2.1' }
    expect((await staff.send('POST', '/api/webs', web)).status).toBe(201)
    let text = ''
    for await (const chunk of events.body ?? []) {
      text += new TextDecoder().decode(chunk)
      if (text.includes('"list":"webs"')) break
    }
    expect(text).toContain('"list":"webs"')
  })

  it('responds that the database is busy if all sessions are in use', async () => {
    const staff = await signIn(origin, 'staff@kustos.test')
    const held = Array.from({ length: 2 }, () =>
      pooled.db.transaction((tx) => tx.execute(sql`select pg_sleep(4)`)),
    )
    onTestFinished(async () => void (await Promise.all(held)))
    await sleep(300)
    const response = await staff.fetch('/api/webs/1')
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({ code: 'database_busy' })
  })

  it('responds that the database is busy if the pooler accepts no more connections', async () => {
    const staff = await signIn(origin, 'staff@kustos.test')
    const others = openDatabase(pooler.url, { isPooled: true, max: 20 })
    onTestFinished(() => others.close())
    await Promise.allSettled(
      Array.from({ length: 20 }, async () => {
        const client = await others.pool.connect()
        onTestFinished(() => client.release())
      }),
    )
    const responses = await Promise.all(Array.from({ length: 10 }, () => staff.fetch('/api/webs/1')))
    const busy = responses.filter(({ status }) => status === 503)
    expect(busy.length).toBeGreaterThan(0)
    for (const response of busy) expect(await response.json()).toMatchObject({ code: 'database_busy' })
  })
}

if (executable === null) it.skip('works behind PgBouncer', () => undefined)
else {
  testSettings(executable)
  await testPooling(executable)
}
