import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { testRedis } from '@kustos/database/testing'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createDeployer, newWebRequest } from '../deployer.ts'
import {
  createDataFolder,
  createVisitor,
  findPid,
  freePort,
  listProcesses,
  type Sandbox,
  startSandbox,
  stopSandbox,
} from '../system.ts'
import { backends } from './backends.ts'

describe.each(backends)('with the jobs in %s', async (backend) => {
  const redis = backend === 'redis' ? await testRedis() : null
  const folder = await createDataFolder()
  const port = await freePort()
  const settings = {
    PORT: port,
    HOST: '127.0.0.1',
    KUSTOS_DATA_DIR: folder.path,
    ...(redis !== null && { REDIS_URL: redis.url }),
  }
  const admin = createVisitor(`http://127.0.0.1:${port}`)
  const { request, waitForDeployment, listWebs } = createDeployer(admin)
  let sandbox: Sandbox

  beforeAll(async () => {
    sandbox = await startSandbox(settings)
    await admin.signIn('admin@kustos.test', 'kustos-sandbox')
  })
  afterAll(() => folder.remove())

  const requestBackups = async (from: number, to: number) => {
    const webs = (await listWebs()).filter((web) => web.node?.includes('cloud')).slice(from, to)
    return Promise.all(webs.map(({ id }) => request('backupWeb', { id })))
  }

  async function expectSuccess(responses: readonly Response[]) {
    for (const response of responses)
      expect(await waitForDeployment(response, 90_000)).toMatchObject({ state: 'succeeded', error: null })
  }

  const kill = async (program: 'worker' | 'api' | 'postgres') =>
    process.kill((await findPid(folder.path, program)) ?? 0, 'SIGKILL')

  test.each(['worker', 'api', 'postgres'] as const)(
    'deployments finish although %s is killed',
    async (program) => {
      const backups = await requestBackups(10, 16)
      const newWeb = await request('newWeb', newWebRequest(`ueberlebt-${program}.test`))
      await sleep(400)
      await kill(program)
      await expectSuccess([...backups, newWeb])
    },
  )

  test.runIf(redis !== null)('no deployment is lost if Redis is flushed and the worker killed', async () => {
    const backups = await requestBackups(5, 25)
    await sleep(500)
    const client = new Redis(redis?.url ?? '')
    await client.flushall()
    client.disconnect()
    await kill('worker')
    await expectSuccess(backups)
  })

  test('only Postgres survives a killed sandbox, which recovers at the next start', async () => {
    const log = join(folder.path, 'logs/postgres.log')
    const { ino } = await stat(log)
    await stopSandbox(sandbox, 'SIGKILL')
    await vi.waitFor(
      async () =>
        expect((await listProcesses(folder.path)).map(({ program }) => program)).toEqual(['postgres']),
      { timeout: 10_000 },
    )
    sandbox = await startSandbox({ ...settings, KUSTOS_SANDBOX_WEBS: '150' })
    expect((await listWebs()).length).toBeGreaterThanOrEqual(150)
    expect((await stat(`${log}.1`)).ino).toBe(ino)
    expect(await stopSandbox(sandbox, 'SIGINT')).toBeLessThan(10_000)
    expect(await listProcesses(folder.path)).toEqual([])
    expect((await readFile(log, 'utf8')).trimEnd()).toMatch(/database system is shut down$/)
  })
})
