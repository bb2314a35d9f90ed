import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { startRegistrarServer } from '@kustos/clients/testing/registrar-server'
import { openDatabase } from '@kustos/database/client'
import { findPoolerProblem } from '@kustos/database/pooler'
import { emails, inspections, logEntries, nodes, ownDomains } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { describeError } from '@kustos/domain/platform/logger'
import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { run } from '../src/commands/run.ts'
import { ApiClient, listen } from './api-client.ts'

const database = await testDatabase()
const origin = await listen(database)

async function kustos(
  args: string[],
  input = '',
  environment: Record<string, string> = {},
): Promise<{ code: number; out: string; err: string }> {
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('../src/kustos.ts', import.meta.url)), ...args],
    {
      env: { ...process.env, DATABASE_URL: database.url, ...environment },
    },
  )
  child.stdin.end(input)
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code, out, err }
}

/**
 * Runs a command that fails.
 * @param input null if it fails before it reads any, so that it can run in this process, which is faster
 * @returns what it prints
 */
async function readReason(args: string[], input: string | null): Promise<string> {
  if (input !== null) {
    const { code, err } = await kustos(args, input)
    expect(code).toBe(1)
    return err
  }
  vi.stubEnv('DATABASE_URL', database.url)
  onTestFinished(() => void vi.unstubAllEnvs())
  return run(args).then(
    () => '',
    (error: unknown) => describeError(error),
  )
}

const create = ['user:create', 'first@kustos.test', '--name', 'First', '--role', 'admin']

it('adds a user who can sign in, with an audit entry', async () => {
  const { code, out, err } = await kustos(create, 'a long pass phrase\n')
  expect([code, err]).toEqual([0, ''])
  expect(out).toMatch(/first@kustos\.test\) was created/)
  const client = new ApiClient(origin)
  expect((await client.signIn('first@kustos.test', 'a long pass phrase')).status).toBe(204)
  const [entry] = await database.db.select().from(logEntries)
  expect(entry).toMatchObject({
    log_name: 'users',
    description: 'created',
    causer_id: null,
    properties: { attributes: { by: 'command line', system_user: userInfo().username } },
  })
  expect(JSON.stringify(entry)).not.toContain('pass phrase')
})

describe('a new password', () => {
  const change = ['user:password', 'FIRST@kustos.test']

  it('replaces the old one, ends all sessions and is not in the audit entry', async () => {
    const client = new ApiClient(origin)
    await client.signIn('first@kustos.test', 'a long pass phrase')
    expect((await client.fetch('/api/users/current')).status).toBe(200)
    const { code, out, err } = await kustos(change, 'another pass phrase\n')
    expect([code, err]).toEqual([0, ''])
    expect(out).toBe('The password of FIRST@kustos.test was changed, and all of their sessions were ended.\n')
    expect((await client.fetch('/api/users/current')).status).toBe(401)
    expect((await client.signIn('first@kustos.test', 'a long pass phrase')).status).toBe(401)
    expect((await client.signIn('first@kustos.test', 'another pass phrase')).status).toBe(204)
    const entries = await database.db.select().from(logEntries).where(eq(logEntries.log_name, 'users'))
    expect(entries.at(-1)).toMatchObject({
      description: 'updated, with a new password',
      subject_type: 'user',
      causer_id: null,
    })
    expect(JSON.stringify(entries)).not.toContain('pass phrase')
  })

  it('lets the user in whom failed sign-ins have locked out', async () => {
    const signIn = (secret: string) => new ApiClient(origin).signIn('first@kustos.test', secret)
    for (let time = 0; time < 5; time++) await signIn('a wrong pass phrase')
    expect((await signIn('another pass phrase')).status).toBe(429)
    expect((await kustos(change, 'a third pass phrase\n')).code).toBe(0)
    expect((await signIn('a third pass phrase')).status).toBe(204)
  })

  it.each([
    ['a missing e-mail', ['user:password'], null, /^EMAIL is missing/],
    [
      'an unknown user',
      ['user:password', 'x@kustos.test'],
      'a long pass phrase',
      /x@kustos.test was not found/,
    ],
    ['a common password', change, 'administrator', /too common/],
    ["another command's option", [...change, '--role', 'admin'], null, /--role/],
  ])('is rejected for %s', async (_, args, input, sentence) => {
    const err = await readReason(args, input)
    expect(err).toMatch(sentence)
    expect(err).not.toMatch(/\bat .*:\d+:\d+/)
  })
})

it('lists the commands if none is given', async () => {
  const { code, out } = await kustos([])
  expect(code).toBe(0)
  expect(out).toMatch(/user:create .*user:password .*import domains .*import emails/s)
})

it.each([
  ['an existing e-mail', create, 'a long pass phrase', /already taken/],
  ['a short password', create, 'short', /at least 12/],
  ['no password', create, '', /^password: /],
  ['no role', ['user:create', 'b@kustos.test'], null, /needs at least one role/],
  ['an unknown role', ['user:create', 'b@kustos.test', '--role', 'king'], null, /no role “king”/],
  ['no e-mail', ['user:create', '--role', 'admin'], null, /^EMAIL is missing\.$/m],
  [
    'a name without quotes',
    [...create.slice(0, 3), 'Jane', 'Doe'],
    null,
    /^Unexpected argument 'Doe': user:create takes EMAIL/,
  ],
  [
    'an argument to a command without arguments',
    ['migrate', 'now'],
    null,
    /^Unexpected argument 'now': migrate takes no arguments/,
  ],
  ['an unknown command', ['user:destroy'], null, /no command 'user:destroy'/],
  ['an unknown option', ['migrate', '--force'], null, /--force/],
])('rejects %s with a reason', async (_, args, input, sentence) => {
  const err = await readReason(args, input)
  expect(err).toMatch(sentence)
  expect(err).not.toMatch(/\bat .*:\d+:\d+/)
})

describe('an import', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kustos-import-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const writeCsv = (content: string) => {
    const path = join(folder, 'liste.csv')
    writeFileSync(path, content)
    return path
  }
  const listDomains = async () => (await database.db.select().from(ownDomains)).map(({ fqdn }) => fqdn).sort()
  const mixed = '\uFEFFDomain;Kunde\r\nmüller.test;MÜLLER\r\nno domain;X\r\nb.test;=1+1\r\n'

  it('reports an invalid line and writes nothing', async () => {
    const { code, out, err } = await kustos(['import', 'domains', writeCsv(mixed)])
    expect(code).toBe(1)
    expect(out.split('\n')).toEqual([
      'line 2  would be added  müller.test',
      expect.stringMatching(/^line 3 {2}invalid {2}no domain: fqdn: One domain on each line/),
      'line 4  would be added  b.test',
      '',
    ])
    expect(err).toBe(
      'Nothing was imported: 1 of 3 lines is invalid. Correct them, or skip them with --skip-bad.\n',
    )
    expect(await listDomains()).toEqual([])
  })

  it('skips invalid lines with --skip-bad', async () => {
    const { code, out, err } = await kustos(['import', 'domains', writeCsv(mixed), '--skip-bad'])
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/2 added, 0 changed, 0 unchanged, 1 skipped\.\n$/)
    expect(await listDomains()).toEqual(['b.test', 'müller.test'])
  })

  it('imports mailboxes', async () => {
    const { code, out } = await kustos([
      'import',
      'emails',
      writeCsv('address,customer,type\nA@b.test,A,mailbox\n'),
    ])
    expect(code).toBe(0)
    expect(out).toBe('line 2  added  A@b.test\n1 added, 0 changed, 0 unchanged, 0 skipped.\n')
    expect(await database.db.select().from(emails)).toMatchObject([{ address: 'a@b.test', type: 'mailbox' }])
  })

  it.each([
    ['no list', ['import'], /no command 'import'.*import domains FILE/s],
    ['another list', ['import', 'people', 'x.csv'], /no command 'import people'/],
    ['no file', ['import', 'domains'], /^FILE is missing/],
    ['a missing file', ['import', 'domains', '/nowhere/x.csv'], /cannot be read/],
    [
      'a file that is not a CSV list',
      ['import', 'domains', fileURLToPath(new URL('../src/kustos.ts', import.meta.url))],
      /must name the columns/,
    ],
  ])('rejects %s with a reason', async (_, args, sentence) => {
    const err = await readReason(args, null)
    expect(err).toMatch(sentence)
    expect(err).not.toMatch(/\bat .*:\d+:\d+/)
  })

  it('is rejected if a registrar would overwrite it', async () => {
    const { code, err } = await kustos(['import', 'domains', writeCsv(mixed)], '', {
      LIMITIS_API_URL: 'https://api.example/v1',
      LIMITIS_API_TOKEN: 'token',
    })
    expect(code).toBe(1)
    expect(err).toMatch(/next sync with the registrar would undo/)
  })
})

it('migrates, and can be repeated', async () => {
  expect(await kustos(['migrate'])).toEqual({
    code: 0,
    out: 'The database has the latest schema.\n',
    err: '',
  })
})

describe('the login of a pooler', () => {
  const login = `pooled-${randomBytes(4).toString('hex')}`
  afterAll(() => database.owner.pool.query(`drop owned by "${login}"; drop role "${login}"`))
  /** Behind no pooler here, which findPoolerProblem then names last. */
  const setLogin = (password: string) => {
    const url = new URL(database.url)
    Object.assign(url, { username: login, password })
    return { url: url.href, set: () => kustos(['pooler:login'], '', { DATABASE_POOLER_URL: url.href }) }
  }

  it('is created and updated', async () => {
    for (const password of ["first 'secret'", 'second:secret']) {
      const { url, set } = setLogin(password)
      expect(await set()).toEqual({ code: 0, out: `${login} can work behind a pooler.\n`, err: '' })
      const pooled = openDatabase(url, { max: 1, isPooled: true })
      onTestFinished(() => pooled.close())
      expect(await findPoolerProblem(pooled, database)).toMatchObject({
        text: 'The pooler does not know prepared statements.',
      })
    }
  })

  it('is not one that owns tables, and has a password', async () => {
    expect(await kustos(['pooler:login'], '', { DATABASE_POOLER_URL: database.url })).toMatchObject({
      code: 1,
      err: expect.stringMatching(
        /^The login \w+ may act as the owner of the tables\. Let DATABASE_POOLER_URL name another\.\n$/,
      ),
    })
    expect(await setLogin('').set()).toMatchObject({
      code: 1,
      err: 'DATABASE_POOLER_URL has to name a login, its password and the database.\n',
    })
    expect(await kustos(['pooler:login'])).toMatchObject({
      code: 1,
      err: 'DATABASE_POOLER_URL is missing.\n',
    })
  })
})

it('reports a failed statement without its values', async () => {
  await database.owner.pool.query(`
    create function fail_insert() returns trigger language plpgsql as $$ begin raise exception 'The disk is full'; end $$;
    create trigger fail_insert before insert on users for each row execute function fail_insert()`)
  const { code, err } = await kustos(
    ['user:create', 'second@kustos.test', '--name', 'Second', '--role', 'admin'],
    'a long pass phrase\n',
  )
  await database.owner.pool.query('drop trigger fail_insert on users')
  expect(code).toBe(1)
  expect(err).toMatch(/^The disk is full\nFailed query: insert into "users"/)
  expect(err).not.toMatch(/argon2|second@kustos\.test|params/)
})

describe('nodes', () => {
  const keys = { SECRETS_KEY: randomBytes(32).toString('base64') }
  const add = ['node:set', 'n9', '--panel', 'n9.test', '--ssh-port', '2222', '--deployments', 'yes', '--key']

  it('are added, changed, listed and deleted, with audit entries', async () => {
    expect(await kustos(add, 'panel-key\n', keys)).toEqual({ code: 0, out: 'Node n9 was added.\n', err: '' })
    expect((await kustos(['node:set', 'n9', '--address', '192.0.2.9', '--ssh-port', ''])).out).toBe(
      'Node n9 was changed.\n',
    )
    const { out } = await kustos(['node:list'])
    expect(out).toContain(
      'n9; panel n9.test:8443; ssh n9.test:22; no host key stored; 0 webs; deployments allowed\n',
    )
    expect((await kustos(['node:delete', 'n9'])).out).toBe('Node n9 was deleted.\n')
    const logged = await database.db.select().from(logEntries).where(eq(logEntries.log_name, 'nodes'))
    expect(logged.map(({ description }) => description)).toEqual(['created', 'updated', 'deleted'])
    expect(JSON.stringify(logged)).not.toContain('panel-key')
  })

  it('print what a node says in a test without codes that control the terminal', async () => {
    const [node] = await database.db.insert(nodes).values({ name: 'n8', plesk_fqdn: 'n8.test' }).returning()
    const tested = kustos(['node:test', 'n8'])
    const isOfNode = eq(inspections.node_id, node?.id ?? 0)
    await expect.poll(() => database.db.$count(inspections, isOfNode), { timeout: 30_000 }).toBe(1)
    const check = { check: 'plesk', ok: true, found: '18\u001b[2J\u0007', problem: null } as const
    const codes = { problem_code: null, problem_params: null }
    const connection = { checks: [{ ...check, ...codes }], host_key: null, host_key_fingerprint: null }
    await database.db
      .update(inspections)
      .set({ state: 'succeeded', ended_at: new Date(), connection })
      .where(isOfNode)
    expect(await tested).toEqual({ code: 0, out: 'plesk: 18 [2J \n', err: '' })
    await database.db.delete(nodes)
  })

  it.each([
    ['a key without SECRETS_KEY', add, /SECRETS_KEY/],
    ['a node without a panel', ['node:set', 'n9'], /^plesk_fqdn: /],
    ['a port that is none', [...add.slice(0, 4), '--ssh-port', 'ssh'], /^ssh_port: /],
    ['an answer other than yes and no', [...add.slice(0, 4), '--deployments', 'maybe'], /yes or no/],
    ['an unknown node', ['node:test', 'n9'], /no node n9/],
    ['no name', ['node:delete'], /NAME is missing/],
  ])('are refused with %s', async (_, args, sentence) => {
    const { code, err } = await kustos(args, 'panel-key\n')
    expect([code, err]).toEqual([1, expect.stringMatching(sentence)])
    expect(await database.db.select().from(nodes)).toEqual([])
  })
})

it('syncs with the registrar, and removes many rows only with confirmation', {
  timeout: 60_000,
}, async () => {
  const { state, url, stop } = await startRegistrarServer()
  onTestFinished(stop)
  const environment = { LIMITIS_API_URL: url, LIMITIS_API_TOKEN: 'secret-token' }
  const rows = Array.from({ length: 12 }, (_, i) => ({ customer: 'K', fqdn: `am-registrar-${i}.test` }))
  await database.db.delete(ownDomains)
  await database.db.insert(ownDomains).values(rows.map((row) => ({ ...row, fqdn_ascii: row.fqdn })))
  state.domains = [{ fqdn: 'am-registrar-1.test' }, { fqdn: 'kein_name.test\u001b[31m' }]
  const rejected = await kustos(['sync', 'registrar'], '', environment)
  expect(rejected).toMatchObject({ code: 1, out: '' })
  expect(rejected.err).toMatch(/does not show 11 of our 12 domains/)
  const { out } = await kustos(['sync', 'registrar', '--confirm-removals'], '', environment)
  expect(out).toMatch(/^domains: 1 at the registrar, 0 added, 0 changed, 11 removed\.\n/)
  expect(out).toMatch(/leaves out: kein_name\.test \[31m/)
})

it('cannot sync if no registrar is configured', async () => {
  const { code, err } = await kustos(['sync', 'registrar'])
  expect([code, err]).toEqual([1, expect.stringMatching(/No registrar is configured/)])
})
