import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPlesk } from '@kustos/clients/plesk'
import { openLocalRunners, openSshRunners } from '@kustos/clients/runner'
import { startPleskServer } from '@kustos/clients/testing/plesk-server'
import { startSshServer } from '@kustos/clients/testing/ssh-server'
import { nodes } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type NodeTools, testConnection } from '../src/nodes/index.ts'
import { createContext } from '../src/platform/context.ts'
import { createSecretBox } from '../src/platform/secret-box.ts'

const database = await testDatabase()
const context = createContext(database, null)
const box = createSecretBox([randomBytes(32)])
const folder = await mkdtemp(join(tmpdir(), 'kustos-connection-'))
const sshServer = await startSshServer(join(folder, 'ssh'))
const panel = await startPleskServer('panel.test')
const plesk = openPlesk({ keys: { n1: 'secret' }, connectTo: `panel.test:8443:127.0.0.1:${panel.port}` })
const { keyFile, user, port } = sshServer
const ssh = openSshRunners({ keyFile, user, runsFolder: join(folder, 'runs') })
const local = openLocalRunners({ folder: join(folder, 'nodes') })
afterAll(async () => {
  await Promise.all([plesk.close(), panel.stop(), ssh.close(), local.close()])
  await sshServer.kill()
  await rm(folder, { recursive: true, force: true })
})
beforeAll(async () => {
  await writeFile(join(folder, 'plesk'), '#!/bin/sh\necho "Product version: Plesk Obsidian 18.0.70.2"\n')
  await chmod(join(folder, 'plesk'), 0o755)
})
afterEach(async () => {
  panel.responses.clear()
  vi.unstubAllEnvs()
  await database.db.delete(nodes)
})

async function run(node: Partial<typeof nodes.$inferInsert>, tools: Partial<NodeTools> = {}) {
  const [row] = await database.db
    .insert(nodes)
    .values({
      name: 'n1',
      plesk_fqdn: 'panel.test',
      plesk_certificate: panel.fingerprint,
      ssh_host: '127.0.0.1',
      ssh_port: port,
      ...node,
    })
    .returning()
  const all = { plesk, runners: ssh, secretBox: box, secrets: [], ...tools }
  return await testConnection(context, all, row?.id ?? 0, AbortSignal.timeout(60_000))
}

const noProblem = { problem: null, problem_code: null, problem_params: null }

test('finds the panel and the command line of a node that works', async () => {
  panel.responses.set('GET /api/v2/server', { panel_version: '18.0.70' })
  vi.stubEnv('PATH', `${folder}:${process.env.PATH}`)
  expect(await run({}, { runners: local })).toEqual({
    state: 'succeeded',
    problems: [],
    connection: {
      checks: [
        { check: 'panel', ok: true, found: 'Plesk 18.0.70', ...noProblem },
        { check: 'ssh', ok: true, found: null, ...noProblem },
        { check: 'plesk', ok: true, found: 'Product version: Plesk Obsidian 18.0.70.2', ...noProblem },
      ],
      host_key: null,
      host_key_fingerprint: null,
    },
  })
})

test('shows a host key that nobody has confirmed, and signs in once it is', async () => {
  const first = await run({})
  const { host_key: key, host_key_fingerprint: fingerprint } = first.connection ?? expect.fail()
  expect(first.connection?.checks[1]).toMatchObject({
    ok: false,
    problem_code: 'ssh_unreachable',
    problem_params: { reason: { code: 'ssh_host_key_unconfirmed', params: { fingerprint } } },
  })
  expect(fingerprint).toMatch(/^SHA256:/)
  await database.db.delete(nodes)

  const second = await run({ host_key: key })
  // Plesk is not installed here.
  expect(second.connection?.checks.slice(1)).toMatchObject([
    { check: 'ssh', ok: true },
    { check: 'plesk', ok: false, problem_code: 'plesk_command_failed' },
  ])
})

test('names what is wrong with each part', async () => {
  panel.responses.set('GET /api/v2/server', undefined)
  const { state, problems, connection } = await run({
    host_key: sshServer.hostKeys[0]?.replace(/.{6}$/, 'AAAAAA') ?? '',
  })
  expect(state).toBe('failed')
  expect(problems).toMatchObject([
    { code: 'plesk_api_missing' },
    { code: 'ssh_unreachable', params: { reason: { code: 'ssh_host_key_differs' } } },
  ])
  expect(connection?.checks).toMatchObject([
    { check: 'panel', ok: false },
    { check: 'ssh', ok: false },
    { check: 'plesk', ok: null, problem: null },
  ])
})

test('says that the key of the panel cannot be decrypted', async () => {
  const { problems } = await run({ plesk_key: 'v1.unknown' })
  expect(problems[0]).toMatchObject({ code: 'plesk_key_unreadable' })
})
