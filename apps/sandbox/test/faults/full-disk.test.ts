import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '@kustos/database/client'
import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { deployer } from '../deploying.ts'
import { dataFolder, end, freePort, pidOf, startSandbox, visitor } from '../system.ts'

/** A disk of its own for Postgres, which takes the right to mount one. */
function mountSmallDisk(place: string): boolean {
  return spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=192m,mode=700', 'none', place]).status === 0
}

/** Takes what is left of the disk. @returns what gives it back */
async function fill(place: string): Promise<() => Promise<void>> {
  const path = join(place, 'ballast')
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

const full = 'Nothing was saved: the disk of the database is full. Tell the operator of Kustos.'

test('writes nothing partially on a full disk, says so, and recovers once there is space', async ({
  skip,
}) => {
  const folder = await dataFolder()
  const place = join(folder.path, 'postgres')
  await mkdir(place)
  const isMounted = mountSmallDisk(place)
  const port = await freePort()
  const settings = { PORT: port, HOST: '127.0.0.1', KUSTOS_DATA_DIR: folder.path, TRACKING_BROWSER: '' }
  const sandbox = isMounted ? await startSandbox(settings) : null
  onTestFinished(async () => {
    if (sandbox) await end(sandbox, 'SIGTERM')
    if (isMounted) spawnSync('umount', ['-l', place])
    await folder.remove()
  })
  // Where it is there to be run, it is not to be passed over.
  if (process.env.KUSTOS_FAULTS_DISK === 'required') expect(isMounted).toBe(true)
  if (sandbox === null) return skip('no small disk can be mounted here: that takes the rights of root')

  const admin = visitor(sandbox.url)
  await admin.signIn('admin@kustos.test', 'kustos-sandbox')
  const { ask, ended, webOnCloud } = deployer(admin)
  const pids = await Promise.all((['api', 'worker'] as const).map((program) => pidOf(folder.path, program)))
  const { id } = await webOnCloud()
  const asked = await ask('backupWeb', { id })
  const makeRoom = await fill(place)

  const names: { fqdn: string; status: number; message: string }[] = []
  for (let count = 0; count < 200; count++) {
    const fqdn = `voll-${count}.test`
    // Random, so that no compression makes it fit.
    const comment = randomBytes(7_000).toString('base64')
    const answer = await admin.call('POST', '/api/webs', {
      fqdn,
      customer: 'FAULTS',
      configured_ip: '192.0.2.1',
      comment,
    })
    const { message = '' } = (await answer.json()) as { message?: string }
    names.push({ fqdn, status: answer.status, message })
    if (answer.status !== 201) expect([fqdn, answer.headers.get('retry-after')]).not.toContain(null)
    if (names.filter(({ status }) => status === 503).length >= 20) break
  }
  for (const { status } of names) expect([201, 503]).toContain(status)
  expect(names.map(({ message }) => message)).toContain(full)

  let exported = 0
  const exportWebs = async () => {
    const answer = await admin.call('GET', '/api/webs/export')
    const content = Buffer.from(await answer.arrayBuffer()).toString()
    if (answer.status === 200) exported += 1
    return { status: answer.status, sentence: answer.status === 200 ? '' : content }
  }
  // Some entries of the log may still find a place in a page that is there.
  let refused = await exportWebs()
  for (let tries = 0; tries < 100 && refused.status === 200; tries++) refused = await exportWebs()
  expect(refused).toEqual({ status: 503, sentence: expect.stringContaining(full) })

  await makeRoom()
  for (const until = Date.now() + 60_000; ; await sleep(200)) {
    const answer = await admin.call('POST', '/api/externalDomains', {
      fqdn: `wieder-${Date.now()}.test`,
      customer: 'FAULTS',
      domainprovider: 'nobody',
    })
    if (answer.status === 201) break
    expect(answer.status).toBe(503)
    expect(Date.now()).toBeLessThan(until)
  }
  expect(await exportWebs()).toMatchObject({ status: 200 })
  expect(await ended(asked)).toMatchObject({ state: 'succeeded' })
  expect(
    await Promise.all((['api', 'worker'] as const).map((program) => pidOf(folder.path, program))),
  ).toEqual(pids)
  expect(await keptIn(folder.path)).toEqual({
    webs: names.filter(({ status }) => status === 201).map(({ fqdn }) => fqdn),
    exports: exported,
  })
})

/** What the log and the database keep: the webs that are there with their entry, and how many exports have theirs. */
async function keptIn(
  folder: string,
): Promise<{ readonly webs: readonly string[]; readonly exports: number }> {
  const environment = await readFile(`/proc/${await pidOf(folder, 'api')}/environ`, 'utf8')
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
