import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '@kustos/database/client'
import { startEmbedded } from '@kustos/database/embedded'
import { sql } from 'drizzle-orm'
import { describe, expect, onTestFinished, test } from 'vitest'
import { paths } from '../../src/paths.ts'
import { createVisitor, freePort } from '../system.ts'
import { checkOutRelease, listReleases, run } from './release.ts'

const node = 'n1'
const admin = { email: 'admin@kustos.test', password: 'correct horse battery' }

describe.each(await listReleases())('the API of release $name', ({ isThere, ...given }) => {
  // On a busy machine the migration is tried several times.
  test.skipIf(!isThere)(
    'serves everything while its database is migrated, and afterwards',
    { timeout: 400_000 },
    async () => {
      const release = await checkOutRelease(given)
      const folder = await mkdtemp(join(tmpdir(), 'kustos-upgrade-'))
      const postgres = await startEmbedded({ folder: join(folder, 'postgres'), durable: false })
      const programs: ChildProcess[] = []
      onTestFinished(async () => {
        for (const program of programs) program.kill('SIGKILL')
        await postgres.stop()
        await Promise.all([release.remove(), rm(folder, { recursive: true, force: true })])
      })
      const env = { PATH: process.env.PATH ?? '', DATABASE_URL: postgres.url }
      const kustos = (root: string, args: readonly string[], input?: string) =>
        run(process.execPath, ['apps/api/src/kustos.ts', ...args], root, { env, ...(input && { input }) })
      const startApi = async (root: string) => {
        const port = await freePort()
        const settings = { PORT: port, SESSION_SECRET: 's'.repeat(32), LOG_LEVEL: 'error' }
        const child = spawn(process.execPath, ['apps/api/src/server.ts'], {
          cwd: root,
          env: { ...env, ...settings },
          stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
        })
        programs.push(child)
        await Promise.race([
          once(child, 'message'),
          once(child, 'exit').then(([code]) => Promise.reject(new Error(`The API ended with ${code}`))),
        ])
        return `http://127.0.0.1:${port}`
      }

      const old = await startApi(release.folder)
      await kustos(
        release.folder,
        ['user:create', admin.email, '--name', 'Admin', '--role', 'admin'],
        admin.password,
      )
      const database = openDatabase(postgres.url, { max: 1, asLogin: true })
      await database.db.execute(sql`
        insert into nodes (name, plesk_fqdn, address, cloud_enabled) values (${node}, 'n1.test', '192.0.2.1', true)`)
      await database.close()
      const load = await startLoad(old, release.routes)
      await load.allReadOnce()
      await kustos(paths.root, ['migrate'])
      await load.allReadOnce()

      // Replicas of both releases run side by side; one of the old release starts on the new schema.
      const replicas = await Promise.all([startApi(release.folder), startApi(paths.root)])
      const others = await Promise.all(replicas.map((url) => startLoad(url, release.routes)))
      for (const each of [load, ...others]) await each.allReadOnce()
      for (const each of [load, ...others]) {
        const { errors, changes } = await each.stop()
        expect(errors).toEqual([])
        expect(changes).toBeGreaterThan(5)
      }
    },
  )
})

/** Reads and changes everything again and again. */
async function startLoad(
  url: string,
  routes: Readonly<Record<string, { readonly method: string; readonly path: string }>>,
) {
  const visitor = createVisitor(url)
  const signedIn = await visitor.signIn(admin.email, admin.password)
  if (signedIn.status !== 204) throw new Error(`The load cannot sign in: ${signedIn.status}`)
  const prefix = new URL(url).port
  const errors: string[] = []
  let isOn = true
  let changes = 0
  let rounds = 0

  const call = async (method: string, path: string, body?: unknown) => {
    try {
      const response = await visitor.call(method, path, body, 30_000)
      const answer = await response.text()
      if (response.status >= 500) errors.push(`${method} ${path}: ${response.status} ${answer.slice(0, 300)}`)
      return { ok: response.ok, answer, location: response.headers.get('location') ?? '' }
    } catch (error) {
      errors.push(`${method} ${path}: ${String(error)}`)
      return { ok: false, answer: '', location: '' }
    }
  }
  const change = async (method: string, path: string, body?: unknown) => {
    const { ok, answer } = await call(method, path, body)
    if (ok) changes += 1
    return ok && answer !== '' ? (JSON.parse(answer) as { id?: number }).id : undefined
  }

  // Events never end, and Bitbucket is not configured.
  const left = ['/api/events', '/api/bitbucket']
  const reads = Object.values(routes)
    .filter(({ method, path }) => method === 'GET' && !left.includes(path))
    .map(({ path }) => path.replaceAll(':id', '1'))
  const readAll = async () => {
    while (isOn) {
      for (const path of reads) {
        if (isOn) await call('GET', path)
        await sleep(10)
      }
      rounds += 1
    }
  }
  const exercise = async (kind: string, path: string, build: (name: string, value: string) => object) => {
    for (let number = 0; isOn; number++) {
      const name = `${kind}-${prefix}-${number}`
      const id = await change('POST', path, build(name, 'first'))
      if (id === undefined) continue
      await change('PUT', `${path}/${id}`, build(name, 'second'))
      const { answer } = await call('GET', path)
      if (isOn && answer !== '' && !answer.includes(name)) errors.push(`${name} is not in ${path}`)
      if (kind === 'web') {
        await change('POST', `/api/request/updateTracking/${id}`)
        const { location, answer: refusal } = await call('POST', '/api/deployment/updateWeb', { id })
        if (location === '') errors.push(`${name} is not deployed: ${refusal}`)
        else await change('POST', `${location}/cancel`)
      }
      await change('DELETE', `${path}/${id}`)
      await sleep(50)
    }
  }
  const running = Promise.all([
    readAll(),
    exercise('web', '/api/webs', (name, comment) => ({
      fqdn: `${name}.test`,
      customer: 'UPGRADE',
      configured_ip: '192.0.2.1',
      node,
      comment,
    })),
    exercise('domain', '/api/externalDomains', (name, domainprovider) => ({
      fqdn: `${name}.test`,
      customer: 'UPGRADE',
      domainprovider,
    })),
    exercise('user', '/api/users', (email, name) => ({
      email: `${email}@kustos.test`,
      name,
      ...(name === 'first' && { password: `${email} and a long password` }),
      roles: [],
      monitoring_mail_subscription: false,
    })),
    exercise('role', '/api/roles', (name) => ({ name, permissions: [] })),
  ])
  return {
    /** Waits until each route has been read from now on, or something has failed. */
    async allReadOnce() {
      const until = rounds + 2
      while (rounds < until && errors.length === 0) await sleep(20)
    },
    async stop() {
      isOn = false
      await running
      return { errors, changes }
    },
  }
}
