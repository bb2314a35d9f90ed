import { readFile, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  createDataFolder,
  createVisitor,
  findPid,
  freePort,
  listProcesses,
  readStartTime,
  readUptime,
  type Sandbox,
  startExpectingFailure,
  startSandbox,
  stopSandbox,
} from './system.ts'

const [email, password] = ['admin@kustos.test', 'kustos-sandbox']
const folder = await createDataFolder()
const port = await freePort()
// Without audits, whose browser takes as long as a start.
const settings = { PORT: port, HOST: '127.0.0.1', KUSTOS_DATA_DIR: folder.path, TRACKING_BROWSER: '' }
const postgresLog = () => readFile(join(folder.path, 'logs/postgres.log'), 'utf8')

afterAll(() => folder.remove())

describe('a failed start', () => {
  const expectFailure = async (wrong: Record<string, string>, sentence: RegExp) => {
    const { code, stderr } = await startExpectingFailure({ ...settings, ...wrong })
    expect(stderr.trim()).toMatch(sentence)
    expect(stderr.trim()).not.toContain('\n')
    expect(code).toBe(1)
    expect(await listProcesses(folder.path)).toEqual([])
  }

  test('exits with 1 and one sentence if another program uses the port', async () => {
    const other = createServer().listen(Number(port), '127.0.0.1')
    try {
      await expectFailure({}, new RegExp(`^Port ${port} is taken`))
    } finally {
      other.close()
    }
  })

  test.each(['/proc/kustos', `${import.meta.filename}/data`])(
    'exits with 1 and one sentence if the data folder is %s',
    (path) => expectFailure({ KUSTOS_DATA_DIR: path }, /^The data folder .* cannot be written/),
  )

  test.each([{ PORT: 'eighty' }, { SESSION_SECRET: 'short' }, { DATABASE_URL: 'mysql://localhost/kustos' }])(
    'exits with 1 and one sentence if the configuration is $0',
    (wrong) =>
      expectFailure(wrong, new RegExp(`^The configuration is wrong: ${Object.keys(wrong)[0]} must `)),
  )

  test('names no password if no database responds at DATABASE_URL', async () => {
    const url = `postgres://kustos:hunter2@127.0.0.1:${await freePort()}/kustos`
    const { code, stderr } = await startExpectingFailure({ ...settings, DATABASE_URL: url })
    expect(stderr).toMatch(/^The database at 127\.0\.0\.1:\d+\/kustos cannot be reached: .*ECONNREFUSED.*\n$/)
    expect(stderr).not.toContain('hunter2')
    expect(code).toBe(1)
  })

  test('exits with 1 and one sentence if HOST is not an address of this machine', () =>
    expectFailure({ HOST: '192.0.2.1' }, /^HOST 192\.0\.2\.1 is no/))
})

describe('a successful start', () => {
  let sandbox: Sandbox
  let visitor: ReturnType<typeof createVisitor>

  beforeAll(async () => {
    sandbox = await startSandbox(settings)
    visitor = createVisitor(sandbox.url)
  })

  test('prints its address and how to sign in', () => {
    expect(sandbox.output()).toContain(`\nKustos is ready at http://localhost:${port}\n`)
    expect(sandbox.output()).toContain(email)
    expect(sandbox.output()).toContain(password)
  })

  test('prints the address of the sent messages', async () => {
    const [, page = ''] =
      /^Messages that Kustos sends here: (http:\/\/localhost:\d+\/)$/m.exec(sandbox.output()) ?? []
    expect(await (await fetch(page)).text()).toContain('Messages from Kustos</title>')
  })

  test('has an inventory of sixty webs after sign-in', async () => {
    expect((await visitor.signIn(email, password)).status).toBe(204)
    expect(await visitor.listWebIds()).toHaveLength(60)
  })

  test('does not print its secrets', async () => {
    for (const secret of [
      'session-secret',
      'secrets-key',
      'report-signing-key',
      'postgres/password',
      'logs/api.log',
      'authority/authority.key',
      'messages/messages.jsonl',
    ]) {
      expect((await stat(join(folder.path, secret))).mode & 0o077).toBe(0)
    }
  })

  test('prevents a second start on the same data with any port', async () => {
    const { code, stderr } = await startExpectingFailure({ ...settings, PORT: await freePort() })
    expect(stderr).toMatch(/^Kustos already runs on the data folder [^\n]*\n$/)
    expect(code).toBe(1)
  })

  /** Kills a program. Expects that another process is started for it within two seconds. */
  async function expectRestart(program: 'api' | 'worker' | 'postgres'): Promise<void> {
    const before = (await findPid(folder.path, program)) ?? 0
    expect(before).not.toBe(0)
    const killedAt = await readUptime()
    process.kill(before, 'SIGKILL')
    const after = await vi.waitFor(
      async () => {
        const found = await findPid(folder.path, program)
        expect([null, before]).not.toContain(found)
        return found ?? 0
      },
      { timeout: 30_000 },
    )
    // Not when it was found: on a busy machine, finding it takes longer than the restart.
    expect((await readStartTime(after)) - killedAt).toBeLessThan(200)
  }

  test.each(['api', 'worker'] as const)('restarts the %s when it is killed', async (program) => {
    await expectRestart(program)
    await vi.waitFor(async () => expect((await fetch(`${sandbox.url}/api/ready`)).status).toBe(200), {
      timeout: 30_000,
    })
  })

  test('restarts only PostgreSQL when it is killed', async () => {
    const api = await findPid(folder.path, 'api')
    await expectRestart('postgres')
    await vi.waitFor(async () => expect(await visitor.listWebIds()).toHaveLength(60), { timeout: 30_000 })
    expect(await findPid(folder.path, 'api')).toBe(api)
  })

  test('shuts everything down within ten seconds, PostgreSQL cleanly', async () => {
    const [first = 0] = await visitor.listWebIds()
    expect((await visitor.call('DELETE', `/api/webs/${first}`)).status).toBe(204)
    expect(await stopSandbox(sandbox, 'SIGTERM')).toBeLessThan(10_000)
    expect(sandbox.process.exitCode).toBe(0)
    expect(await listProcesses(folder.path)).toEqual([])
    expect((await postgresLog()).trimEnd()).toMatch(/database system is shut down$/)
  })

  test('keeps its data and sessions across restarts', async () => {
    sandbox = await startSandbox(settings)
    // The seed replaces the deleted web, because the inventory has to have sixty.
    const deleted = await visitor.call('GET', '/api/webs?deleted=1')
    expect(await deleted.json()).toMatchObject({
      data: expect.arrayContaining([expect.objectContaining({ id: 1 })]),
    })
    expect(await stopSandbox(sandbox, 'SIGINT')).toBeLessThan(10_000)
    expect(await listProcesses(folder.path)).toEqual([])
  })

  test('only writes the settings of the programs if they run elsewhere', async () => {
    const file = join(folder.path, 'settings')
    const away = { KUSTOS_SANDBOX_SETTINGS: file, KUSTOS_SANDBOX_ADDRESS: '127.0.0.2' }
    sandbox = await startSandbox({ ...settings, ...away })
    const text = await readFile(file, 'utf8')
    const url = /^BITBUCKET_URL=(http:\/\/127\.0\.0\.2:\d+\/2\.0)$/m.exec(text)?.[1] ?? ''
    const token = /^BITBUCKET_TOKEN=(.+)$/m.exec(text)?.[1] ?? ''
    const response = await fetch(`${url}/repositories/kustos-agentur`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(response.status).toBe(200)
    expect((await stat(file)).mode & 0o077).toBe(0)
    expect(await findPid(folder.path, 'api')).toBeNull()
    await stopSandbox(sandbox, 'SIGINT')
    expect(sandbox.process.exitCode).toBe(0)
  })
})
