import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { testRedis } from '@kustos/database/testing'
import { Redis } from 'ioredis'
import { describe, expect, test, vi } from 'vitest'
import { createDeployer, newWebRequest } from '../deployer.ts'
import { setUpSandbox } from '../set-up-sandbox.ts'
import { findPid, listProcesses } from '../system.ts'
import { backends } from './backends.ts'

describe.each(backends)('with the jobs in %s', async (backend) => {
  const redis = backend === 'redis' ? await testRedis() : null
  const { folder, admin, start, stop } = await setUpSandbox(redis === null ? {} : { REDIS_URL: redis.url })
  const { request, waitForDeployment, listWebs } = createDeployer(admin)

  const requestBackups = async (from: number, to: number) => {
    const webs = (await listWebs()).filter((web) => web.node?.includes('cloud')).slice(from, to)
    return Promise.all(webs.map(({ id }) => request('backupWeb', { id })))
  }

  async function expectSuccess(responses: readonly Response[]) {
    for (const response of responses)
      expect(await waitForDeployment(response, 90_000)).toMatchObject({ state: 'succeeded', error: null })
  }

  const kill = async (program: 'worker' | 'api' | 'postgres') =>
    process.kill((await findPid(folder, program)) ?? 0, 'SIGKILL')

  test.each(['worker', 'api', 'postgres'] as const)(
    'deployments finish although %s is killed',
    async (program) => {
      await vi.waitFor(
        // Without the repositories, which the worker reads after its start, no web can be requested.
        async () => expect((await admin.call('GET', '/api/bitbucket')).status).toBe(200),
        { timeout: 30_000, interval: 200 },
      )
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
    const log = join(folder, 'logs/postgres.log')
    const { ino } = await stat(log)
    await stop('SIGKILL')
    await vi.waitFor(
      async () => expect((await listProcesses(folder)).map(({ program }) => program)).toEqual(['postgres']),
      { timeout: 10_000 },
    )
    await start({ KUSTOS_SANDBOX_WEBS: '150' })
    // Topped up, with the three that the tests have created.
    expect(await listWebs()).toHaveLength(150)
    expect((await stat(`${log}.1`)).ino).toBe(ino)
    expect(await stop('SIGINT')).toBeLessThan(10_000)
    expect(await listProcesses(folder)).toEqual([])
    expect((await readFile(log, 'utf8')).trimEnd()).toMatch(/database system is shut down$/)
  })
})
