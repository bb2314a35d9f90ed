import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '@kustos/database/client'
import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { createDeployer } from '../deployer.ts'
import { createDataFolder, createVisitor, findPid, freePort, startSandbox, stopSandbox } from '../system.ts'

/** Mounts a small disk for Postgres. @returns false without the privilege to mount one */
function mountSmallDisk(path: string): boolean {
  return spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=192m,mode=700', 'none', path]).status === 0
}

/** Fills the disk. @returns a function that frees it again */
async function fillDisk(folder: string): Promise<() => Promise<void>> {
  const path = join(folder, 'ballast')
  const ballast = await open(path, 'w')
  const chunk = Buffer.alloc(64 * 1024)
  try {
    for (;;) await ballast.write(chunk)
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENOSPC' })
  } finally {
    await ballast.close()
  }
  return () => rm(path)
}

const diskFullMessage =
  'Nothing was saved: the disk of the database is full. Contact your Kustos administrator.'

test('writes nothing partially on a full disk, reports it, and recovers once there is space', async ({
  skip,
}) => {
  const folder = await createDataFolder()
  const postgresFolder = join(folder.path, 'postgres')
  await mkdir(postgresFolder)
  const isMounted = mountSmallDisk(postgresFolder)
  const port = await freePort()
  const settings = { PORT: port, HOST: '127.0.0.1', KUSTOS_DATA_DIR: folder.path, TRACKING_BROWSER: '' }
  const sandbox = isMounted ? await startSandbox(settings) : null
  onTestFinished(async () => {
    if (sandbox) await stopSandbox(sandbox, 'SIGTERM')
    if (isMounted) spawnSync('umount', ['-l', postgresFolder])
    await folder.remove()
  })
  // Continuous integration must not skip this test.
  if (process.env.KUSTOS_FAULTS_DISK === 'required') expect(isMounted).toBe(true)
  if (sandbox === null) return skip('mounting a small disk requires root')

  const admin = createVisitor(sandbox.url)
  await admin.signIn('admin@kustos.test', 'kustos-sandbox')
  const { request, waitForDeployment, findCloudWeb } = createDeployer(admin)
  const pids = await Promise.all((['api', 'worker'] as const).map((program) => findPid(folder.path, program)))
  const { id } = await findCloudWeb()
  const backupResponse = await request('backupWeb', { id })
  const freeDisk = await fillDisk(postgresFolder)

  const attempts: { fqdn: string; status: number; message: string }[] = []
  for (let count = 0; count < 200; count++) {
    const fqdn = `voll-${count}.test`
    // Random, so that it cannot be compressed.
    const comment = randomBytes(7_000).toString('base64')
    const response = await admin.call('POST', '/api/webs', {
      fqdn,
      customer: 'FAULTS',
      configured_ip: '192.0.2.1',
      comment,
    })
    const { message = '' } = (await response.json()) as { message?: string }
    attempts.push({ fqdn, status: response.status, message })
    if (response.status !== 201) expect([fqdn, response.headers.get('retry-after')]).not.toContain(null)
    if (attempts.filter(({ status }) => status === 503).length >= 20) break
  }
  for (const { status } of attempts) expect([201, 503]).toContain(status)
  expect(attempts.map(({ message }) => message)).toContain(diskFullMessage)

  let exportCount = 0
  const exportWebs = async () => {
    const response = await admin.call('GET', '/api/webs/export')
    const content = Buffer.from(await response.arrayBuffer()).toString()
    if (response.status === 200) exportCount += 1
    return { status: response.status, sentence: response.status === 200 ? '' : content }
  }
  // Some log entries may still fit into an existing page.
  let lastExport = await exportWebs()
  for (let tries = 0; tries < 100 && lastExport.status === 200; tries++) lastExport = await exportWebs()
  expect(lastExport).toEqual({ status: 503, sentence: expect.stringContaining(diskFullMessage) })

  await freeDisk()
  for (const deadline = Date.now() + 60_000; ; await sleep(200)) {
    const response = await admin.call('POST', '/api/externalDomains', {
      fqdn: `wieder-${Date.now()}.test`,
      customer: 'FAULTS',
      domainprovider: 'nobody',
    })
    if (response.status === 201) break
    expect(response.status).toBe(503)
    expect(Date.now()).toBeLessThan(deadline)
  }
  expect(await exportWebs()).toMatchObject({ status: 200 })
  expect(await waitForDeployment(backupResponse)).toMatchObject({ state: 'succeeded' })
  expect(
    await Promise.all((['api', 'worker'] as const).map((program) => findPid(folder.path, program))),
  ).toEqual(pids)
  expect(await readStored(folder.path)).toEqual({
    webs: attempts.filter(({ status }) => status === 201).map(({ fqdn }) => fqdn),
    exports: exportCount,
  })
})

/** The stored webs with a log entry, and the number of logged exports. */
async function readStored(
  folder: string,
): Promise<{ readonly webs: readonly string[]; readonly exports: number }> {
  const environment = await readFile(`/proc/${await findPid(folder, 'api')}/environ`, 'utf8')
  const url = environment.split('\0').find((pair) => pair.startsWith('DATABASE_URL='))
  const database = openDatabase(url?.slice('DATABASE_URL='.length) ?? '', { max: 1, asLogin: true })
  try {
    const { rows } = await database.db.execute<{ fqdn: string }>(sql`
      select w.fqdn from webs w join log_entries l on l.subject_type = 'web' and l.subject_id = w.id
      where w.fqdn like 'voll-%' and l.description = 'created' order by w.id`)
    const exports = await database.db.$count(sql`log_entries where description = 'exported'`)
    return { webs: rows.map(({ fqdn }) => fqdn), exports }
  } finally {
    await database.close()
  }
}
