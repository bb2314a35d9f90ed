import { readFile, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  dataFolder,
  end,
  freePort,
  pidOf,
  processesOf,
  type Sandbox,
  startInVain,
  startSandbox,
  visitor,
} from './system.ts'

const [email, password] = ['admin@kustos.test', 'kustos-sandbox']
const folder = await dataFolder()
const port = await freePort()
const settings = { PORT: port, HOST: '127.0.0.1', KUSTOS_DATA_DIR: folder.path }
const postgresLog = () => readFile(join(folder.path, 'logs/postgres.log'), 'utf8')

afterAll(() => folder.remove())

describe('explains a failed start in one sentence and exits with 1', () => {
  const refused = async (wrong: Record<string, string>, sentence: RegExp) => {
    const { code, stderr } = await startInVain({ ...settings, ...wrong })
    expect(stderr.trim()).toMatch(sentence)
    expect(stderr.trim()).not.toContain('\n')
    expect(code).toBe(1)
    expect(await processesOf(folder.path)).toEqual([])
  }

  test('if another program uses the port', async () => {
    const other = createServer().listen(Number(port), '127.0.0.1')
    try {
      await refused({}, new RegExp(`^Port ${port} is taken`))
    } finally {
      other.close()
    }
  })

  test.each(['/proc/kustos', `${import.meta.filename}/data`])('if the data folder is %s', (path) =>
    refused({ KUSTOS_DATA_DIR: path }, /^The data folder .* cannot be written/),
  )

  test.each([{ PORT: 'eighty' }, { SESSION_SECRET: 'short' }, { DATABASE_URL: 'mysql://localhost/kustos' }])(
    'if the configuration is $0',
    (wrong) => refused(wrong, new RegExp(`^The configuration is wrong: ${Object.keys(wrong)[0]} must `)),
  )

  test('if no database answers at DATABASE_URL, without revealing its password', async () => {
    const url = `postgres://kustos:hunter2@127.0.0.1:${await freePort()}/kustos`
    const { code, stderr } = await startInVain({ ...settings, DATABASE_URL: url })
    expect(stderr).toMatch(/^The database at 127\.0\.0\.1:\d+\/kustos cannot be reached: .*ECONNREFUSED.*\n$/)
    expect(stderr).not.toContain('hunter2')
    expect(code).toBe(1)
  })

  test('if HOST is not an address of this machine', () =>
    refused({ HOST: '192.0.2.1' }, /^HOST 192\.0\.2\.1 is no/))
})

describe('a successful start', () => {
  let sandbox: Sandbox
  let someone: ReturnType<typeof visitor>

  beforeAll(async () => {
    sandbox = await startSandbox(settings)
    someone = visitor(sandbox.url)
  })

  test('prints its address and how to sign in', () => {
    expect(sandbox.output()).toContain(`\nKustos is ready at http://localhost:${port}\n`)
    expect(sandbox.output()).toContain(email)
    expect(sandbox.output()).toContain(password)
  })

  test('prints where sent messages can be read', async () => {
    const [, page = ''] =
      /^Messages that Kustos sends here: (http:\/\/localhost:\d+\/)$/m.exec(sandbox.output()) ?? []
    expect(await (await fetch(page)).text()).toContain('Messages from Kustos</title>')
  })

  test('has an inventory of sixty webs after sign-in', async () => {
    expect((await someone.signIn(email, password)).status).toBe(204)
    expect(await someone.webs()).toHaveLength(60)
  })

  test('does not print its secrets', async () => {
    for (const secret of [
      'session-secret',
      'postgres/password',
      'logs/api.log',
      'authority/authority.key',
      'messages/messages.jsonl',
    ]) {
      expect((await stat(join(folder.path, secret))).mode & 0o077).toBe(0)
    }
  })

  test('refuses a second start on the same data, whatever its port', async () => {
    const { code, stderr } = await startInVain({ ...settings, PORT: await freePort() })
    expect(stderr).toMatch(/^Kustos already runs on the data folder [^\n]*\n$/)
    expect(code).toBe(1)
  })

  test.each(['api', 'worker'] as const)('restarts the %s when it is killed', async (program) => {
    const before = await pidOf(folder.path, program)
    expect(before).not.toBeNull()
    process.kill(before ?? 0, 'SIGKILL')
    await vi.waitFor(async () => expect([null, before]).not.toContain(await pidOf(folder.path, program)), {
      timeout: 2_000,
    })
    await vi.waitFor(async () => expect((await fetch(`${sandbox.url}/api/ready`)).status).toBe(200), {
      timeout: 15_000,
    })
  })

  test('restarts PostgreSQL when it is killed without restarting other programs', async () => {
    const [postgres, api] = await Promise.all([pidOf(folder.path, 'postgres'), pidOf(folder.path, 'api')])
    process.kill(postgres ?? 0, 'SIGKILL')
    await vi.waitFor(
      async () => expect([null, postgres]).not.toContain(await pidOf(folder.path, 'postgres')),
      {
        timeout: 2_000,
      },
    )
    await vi.waitFor(async () => expect(await someone.webs()).toHaveLength(60), { timeout: 15_000 })
    expect(await pidOf(folder.path, 'api')).toBe(api)
  })

  test('shuts everything down within ten seconds, PostgreSQL cleanly', async () => {
    const [first = 0] = await someone.webs()
    expect((await someone.call('DELETE', `/api/webs/${first}`)).status).toBe(204)
    expect(await end(sandbox, 'SIGTERM')).toBeLessThan(10_000)
    expect(sandbox.process.exitCode).toBe(0)
    expect(await processesOf(folder.path)).toEqual([])
    expect((await postgresLog()).trimEnd()).toMatch(/database system is shut down$/)
  })

  test('keeps data and sessions across restarts', async () => {
    sandbox = await startSandbox(settings)
    // The deleted one is made up for by another, as the inventory is to hold sixty.
    const deleted = await someone.call('GET', '/api/webs?deleted=1')
    expect(await deleted.json()).toMatchObject({
      data: expect.arrayContaining([expect.objectContaining({ id: 1 })]),
    })
  })

  test('leaves only PostgreSQL when killed, and recovers at the next start', async () => {
    const log = join(folder.path, 'logs/postgres.log')
    const { ino } = await stat(log)
    await end(sandbox, 'SIGKILL')
    await vi.waitFor(
      async () => expect((await processesOf(folder.path)).map((one) => one.program)).toEqual(['postgres']),
      { timeout: 10_000 },
    )
    sandbox = await startSandbox({ ...settings, KUSTOS_SANDBOX_WEBS: '150' })
    expect(await someone.webs()).toHaveLength(150)
    expect((await stat(`${log}.1`)).ino).toBe(ino)
    expect(await end(sandbox, 'SIGINT')).toBeLessThan(10_000)
    expect(await processesOf(folder.path)).toEqual([])
  })
})
