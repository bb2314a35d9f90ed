import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startMailReceiver } from '@kustos/clients/testing/channels'
import { startPleskServer } from '@kustos/clients/testing/plesk-server'
import type { InspectionKind } from '@kustos/contract/inspections'
import { alerts, nodes, registrarSyncs, repositorySyncs, webFacts } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { refreshRepositories } from '../src/bitbucket/index.ts'
import { executeInspection, readInspection, requestInspection } from '../src/inspections/index.ts'
import { syncRegistrar } from '../src/limitis/index.ts'
import { openAlertSender } from '../src/monitoring/alerts/index.ts'
import { discoverWebs, testConnection } from '../src/nodes/index.ts'
import { readConfiguration } from '../src/platform/configuration/index.ts'
import { createContext } from '../src/platform/context.ts'
import { sealPanelKey } from '../src/platform/panel-key.ts'
import { openWorkerServices } from '../src/services.ts'
import { auditTracking } from '../src/tracking/index.ts'
import { refreshWeb } from '../src/webs/index.ts'
import { tablesWith } from './tables-with.ts'
import { addWeb } from './web-row.ts'

const database = await testDatabase()
const { db } = database
const context = createContext(database)
const folder = await mkdtemp(join(tmpdir(), 'kustos-failures-'))
const panel = await startPleskServer('panel.test')
const mail = await startMailReceiver({
  allowInsecureAuth: true,
  onAuth: (_, __, callback) => callback(null, { user: 'mail' }),
})
const respond = { to: (_: IncomingMessage, response: ServerResponse): void => void response.end() }
const http = createServer((request, response) => respond.to(request, response)).listen(0, '127.0.0.1')
await once(http, 'listening')
const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`

/** Secrets contain this word, so that no part of them goes unnoticed. */
const session = 'SesamSessionSesamSecretSesam0123'
const read = readConfiguration({
  DATABASE_URL: database.url,
  KUSTOS_DATA_DIR: folder,
  LOCAL_NODES_DIR: join(folder, 'nodes'),
  CONNECT_TO: `panel.test:8443:127.0.0.1:${panel.port}`,
  SESSION_SECRET: session,
  SECRETS_KEY: randomBytes(32).toString('base64'),
  BITBUCKET_URL: `${origin}/2.0`,
  BITBUCKET_WORKSPACE: 'agency',
  BITBUCKET_TOKEN: 'SesamBitbucket',
  LIMITIS_API_URL: origin,
  LIMITIS_API_TOKEN: 'SesamRegistrar',
  SMTP_URL: `smtp://mail:SesamMailPassword@127.0.0.1:${mail.port}`,
})
if (!read.ok) throw new Error(read.sentence)
const services = await openWorkerServices(read.configuration, {
  databaseUrl: database.url,
  onError: () => undefined,
})
const { refreshing, deployments } = services
afterAll(async () => {
  await services.close()
  http.close()
  await Promise.all([panel.stop(), mail.stop()])
  await rm(folder, { recursive: true, force: true })
})

const [node] = await db
  .insert(nodes)
  .values({ name: 'n1', plesk_fqdn: 'panel.test', plesk_certificate: panel.fingerprint })
  .returning({ id: nodes.id })
const nodeId = node?.id ?? 0
await db.update(nodes).set({ plesk_key: sealPanelKey(refreshing.secretBox, nodeId, 'SesamStoredKey') })

/** Puts a program before those of the nodes. */
async function installProgram(name: string, script: string) {
  const programs = join(folder, 'programs')
  await mkdir(programs, { recursive: true })
  await writeFile(join(programs, name), `#!/bin/sh\n${script}\n`)
  await chmod(join(programs, name), 0o755)
  vi.stubEnv('PATH', `${programs}:${process.env.PATH}`)
  onTestFinished(async () => {
    vi.unstubAllEnvs()
    await rm(join(programs, name))
  })
}

async function inspect(kind: InspectionKind, subject: number) {
  const tools = { ...services, onError: () => undefined, queues: deployments.queues }
  const id = await requestInspection(context, tools, kind, subject)
  const nodeTools = { ...refreshing, runners: deployments.runners }
  await executeInspection(
    context,
    {
      refresh: (leased, web, signal, requestedBy) =>
        refreshWeb(leased, refreshing, web, { requestedBy, signal }),
      tracking: (leased, web, signal) => auditTracking(leased, services, web, signal),
      connection: (leased, each, signal) => testConnection(leased, nodeTools, each, signal),
      discovery: (leased, each, signal) => discoverWebs(leased, nodeTools, each, signal),
      onError: (error) => expect.fail(error.message),
    },
    id,
    new AbortController().signal,
  )
  return await readInspection(context, id)
}

const stored = () => tablesWith(database, 'Sesam')

test.each([
  ['a secret of the configuration', session, '[secret]'],
  ['the key of the panel', 'SesamStoredKey', '[secret]'],
  ['a secret over two lines', `a\n${session.slice(0, 12)}\n${session.slice(12)}`, '[secret]'],
  ['a secret by its form', 'mysql --password=Sesam', 'mysql --password=[secret]'],
  ['a secret at the limit of its length', `${'x'.repeat(190)}${session}`, `${'x'.repeat(190)}[secret]`],
])('what Plesk’s database prints is stored without %s', async (_, text, reason) => {
  panel.responses.set('GET /api/v2/domains', [])
  await installProgram('plesk', `printf '%s\\n' '${text}' >&2; exit 1`)
  const { problem_codes } = await inspect('discovery', nodeId)
  expect(problem_codes).toEqual([{ code: 'panel_database_unread', params: { node: 'n1', reason } }])
  expect(await stored()).toEqual([])
})

test('what a node prints in a test of its connection is stored without secrets', async () => {
  panel.responses.set('GET /api/v2/server', (response: ServerResponse) =>
    response.writeHead(400).end(JSON.stringify({ message: 'The key SesamStoredKey is of no use' })),
  )
  await installProgram('plesk', `echo 'Plesk ${session}'`)
  const { connection, problem_codes } = await inspect('connection', nodeId)
  expect(connection?.checks).toMatchObject([
    { check: 'panel', problem: 'Plesk on n1 rejected the request: The key [secret] is of no use.' },
    { check: 'ssh', ok: true },
    { check: 'plesk', found: 'Plesk [secret]' },
  ])
  expect(problem_codes).toMatchObject([{ params: { reason: 'The key [secret] is of no use' } }])
  expect(await stored()).toEqual([])
})

test('why a node starts no commands is stored without secrets', async () => {
  await installProgram('mkdir', 'echo "No folder for SesamStoredKey" >&2; exit 1')
  const { connection } = await inspect('connection', nodeId)
  expect(connection?.checks[1]).toMatchObject({
    problem_code: 'node_cannot_start',
    problem_params: { reason: 'No folder for [secret]' },
  })
  expect(await stored()).toEqual([])
})

test('what Plesk’s command line says of a web is stored without secrets, also where it is cut', async () => {
  panel.responses.set('GET /api/v2/domains?name=hotel.test', [{ id: 7, name: 'hotel.test' }])
  panel.responses.set('GET /api/v2/domains/7/status', { status: 'active' })
  panel.responses.set('POST /api/v2/cli/domain/call', {
    code: 1,
    stdout: '',
    stderr: `SesamStoredKey ${'x'.repeat(175)} ${session}`,
  })
  const web = await addWeb(database, 'hotel.test', { node_id: nodeId, configured_ip: '127.0.0.1' })
  const { problems } = await inspect('refresh', web)
  const said = `[secret] ${'x'.repeat(175)} [secret]…`
  expect(problems).toContainEqual(expect.stringContaining(said))
  const [fact] = await db.select().from(webFacts)
  expect(fact?.error).toContain(said)
  expect(await stored()).toEqual([])
})

test('why Bitbucket refuses is stored without secrets', async () => {
  respond.to = ({ headers }, response) =>
    void response
      .writeHead(403)
      .end(JSON.stringify({ error: { message: `No access for ${headers.authorization?.slice(7)}` } }))
  const { bitbucket } = services
  if (bitbucket === null) throw new Error('Bitbucket is configured')
  const message = 'Bitbucket does not allow this with the token in BITBUCKET_TOKEN: No access for [secret].'
  await expect(refreshRepositories(context, bitbucket)).rejects.toMatchObject({ message })
  expect(await db.select().from(repositorySyncs)).toMatchObject([{ error: message }])
  expect(await stored()).toEqual([])
})

test('what the registrar lists is stored without passwords if it cannot be read', async () => {
  const entry = { name: 'info', password: 'SesamMailbox' }
  respond.to = ({ url }, response) =>
    void response.end(JSON.stringify({ data: url === '/domains' ? [] : [entry] }))
  const { registrar } = services
  if (registrar === null) throw new Error('The registrar is configured')
  const message = 'such as {"name":"info","password":[secret]}'
  await expect(syncRegistrar(context, registrar)).rejects.toThrow(message)
  expect((await db.select().from(registrarSyncs))[0]?.error).toContain(message)
  expect(await stored()).toEqual([])
})

test('why the mail server refuses an alert is stored without secrets', async () => {
  mail.state.refusals.push({ responseCode: 550, message: 'No mail from SesamMailPassword' })
  const [alert] = await db
    .insert(alerts)
    .values({
      channel: 'mail',
      recipient: 'oncall@agency.test',
      content: { title: 'a.test is down', lines: [] },
      created_at: new Date(),
    })
    .returning({ id: alerts.id })
  await openAlertSender(services.alerts)(context, alert?.id ?? 0, new AbortController().signal)
  expect((await db.select().from(alerts))[0]?.error).toContain('No mail from [secret]')
  expect(await stored()).toEqual([])
})
