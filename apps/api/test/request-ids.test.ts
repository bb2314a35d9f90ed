import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startMailReceiver } from '@kustos/clients/testing/channels'
import { freePort } from '@kustos/clients/testing/free-port'
import { alerts, inspections, nodes, webs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { afterAll, expect, it, vi } from 'vitest'
import { ApiClient, createUser, password } from './api-client.ts'
import { findSample, parsePrometheusText } from './prometheus-text.ts'

// The programs run as in production, with a secret in every setting, against services that echo their requests.
const database = await testDatabase()
const folder = await mkdtemp(join(tmpdir(), 'kustos-traces-'))

const contacted = new Set<string>()
const echoServer = createServer(async (request, response) => {
  const { url = '', headers } = request
  const system = ['/2.0/', '/limitis/', '/services/', '/bot'].find((start) => url.startsWith(start))
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  if (system !== undefined) contacted.add(system)
  // A broken proxy might echo the request like this.
  const body = JSON.stringify({ url, headers, error: { message: `${url} ${headers.authorization}` } })
  // A 500 of Bitbucket would be retried for a while.
  response.writeHead(system === '/2.0/' ? 403 : 500, `Cannot ${encodeURIComponent(url)}`, {
    'x-url': url,
    'set-cookie': 'id=echo-cookie-secret',
  })
  response.end(body)
})
echoServer.listen(0, '127.0.0.1')
await once(echoServer, 'listening')
const echoPort = (echoServer.address() as AddressInfo).port
const echoUrl = `http://127.0.0.1:${echoPort}`

const mail = await startMailReceiver({
  authOptional: false,
  allowInsecureAuth: true,
  onAuth({ password: secret }, _, callback) {
    contacted.add('mail')
    callback(new Error(`The password ${secret} is wrong`))
  },
})

const [port, metricsPort] = [await freePort(), await freePort()]
const metricsToken = 'metrics-secret-token'

const environment = {
  PATH: process.env.PATH ?? '',
  DATABASE_URL: database.url,
  LOG_LEVEL: 'trace',
  KUSTOS_DATA_DIR: folder,
  LOCAL_NODES_DIR: join(folder, 'nodes'),
  PROBE_INTERVAL: '3600',
  METRICS_TOKEN: metricsToken,
  SESSION_SECRET: 'session-secret-of-at-least-32-characters',
  BITBUCKET_URL: `${echoUrl}/2.0`,
  BITBUCKET_WORKSPACE: 'agency',
  BITBUCKET_TOKEN: 'bot@agency.test:bitbucket-secret-token',
  LIMITIS_API_URL: `${echoUrl}/limitis`,
  LIMITIS_API_TOKEN: 'limitis-secret-token',
  SLACK_WEBHOOK_URL: `${echoUrl}/services/T0/B0/slack-secret-hook`,
  TELEGRAM_URL: echoUrl,
  TELEGRAM_BOT_TOKEN: '123456:telegram-secret-token',
  TELEGRAM_CHAT_ID: '42',
  SMTP_URL: `smtp://kustos:smtp%2Dsecret-password@127.0.0.1:${mail.port}`,
  PLESK_API_KEYS: 'n1=plesk-secret-key',
  CONNECT_TO: `n1.plesk.test:8443:127.0.0.1:${echoPort},web.test::127.0.0.1:${echoPort}`,
}

const running = new Set<ChildProcess>()
let output = ''

/** Starts a program and waits for a message in its output. */
async function start(
  path: string,
  variables: Record<string, string>,
  message: string,
): Promise<ChildProcess> {
  const child = spawn(process.execPath, [fileURLToPath(new URL(path, import.meta.url))], {
    env: { ...environment, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  let programOutput = ''
  const collect = (chunk: Buffer) => {
    programOutput += chunk.toString()
    output += chunk.toString()
  }
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  await vi.waitFor(() => expect(programOutput).toContain(message), { timeout: 60_000 })
  return child
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  running.delete(child)
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'close')
  child.kill(signal)
  await ended
}

afterAll(async () => {
  for (const child of running) await end(child, 'SIGKILL')
  echoServer.close()
  echoServer.closeAllConnections()
  await mail.stop()
  await rm(folder, { recursive: true, force: true })
})

type Line = Readonly<Record<string, unknown>>
const lines = (): readonly Line[] =>
  output
    .slice(0, output.lastIndexOf('\n'))
    .split('\n')
    .map((line) => JSON.parse(line))

const content = { title: 'web.test is down', lines: ['Customer: ALPEN'] }
await database.db.insert(alerts).values([
  { channel: 'slack', content, created_at: new Date() },
  { channel: 'telegram', content, created_at: new Date() },
  { channel: 'mail', recipient: 'anna@kustos.test', content, created_at: new Date() },
])
const [node] = await database.db
  .insert(nodes)
  .values({ name: 'n1', plesk_fqdn: 'n1.plesk.test', address: '192.0.2.1', cloud_enabled: true })
  .returning()
const [web] = await database.db
  .insert(webs)
  .values({
    fqdn: 'web.test',
    fqdn_ascii: 'web.test',
    customer: 'ALPEN',
    configured_ip: '192.0.2.1',
    node_id: node?.id ?? null,
    sysuser: 'web1',
    // Otherwise the worker would refresh it by itself, because it is new.
    domain_status: 3,
  })
  .returning()
// At night, too, unless it was refreshed already.
const now = new Date()
await database.db
  .insert(inspections)
  .values({ web_id: web?.id ?? 0, kind: 'refresh', state: 'succeeded', created_at: now, ended_at: now })
const user = await createUser(database, 'anna@kustos.test', 'admin')
const api = await start('../src/server.ts', { PORT: String(port) }, 'Server listening')
const worker = await start(
  '../../worker/src/main.ts',
  { METRICS_PORT: String(metricsPort) },
  'worker started',
)
const anna = new ApiClient(`http://127.0.0.1:${port}`)
const secrets = new Set<string>([
  password,
  'session-secret-of-at-least',
  'bitbucket-secret-token',
  Buffer.from(environment.BITBUCKET_TOKEN).toString('base64'),
  'limitis-secret-token',
  'slack-secret-hook',
  'telegram-secret-token',
  'smtp-secret-password',
  'smtp%2Dsecret-password',
  'plesk-secret-key',
  'echo-cookie-secret',
  metricsToken,
])

it("carries a request's id into the worker's log lines", async () => {
  secrets.add('annas wrong password')
  expect((await anna.signIn('anna@kustos.test', 'annas wrong password')).status).toBe(401)
  expect((await anna.signIn('anna@kustos.test')).status).toBe(204)
  const responses = [
    await anna.send('POST', '/api/deployment/backupWeb', { id: web?.id }),
    await anna.send('POST', `/api/request/refreshWeb/${web?.id}`),
    await anna.send('POST', `/api/request/updateTracking/${web?.id}`),
  ]
  expect(responses.map((response) => response.status)).toEqual([204, 204, 204])
  for (const response of responses) {
    const id = response.headers.get('x-request-id')
    await vi.waitFor(
      () => {
        const of = lines().filter((line) => line.req_id === id)
        expect(of.filter((line) => line.name === 'kustos-api' && line.msg === 'request')).toMatchObject([
          { status: 204, user, location: response.headers.get('location') },
        ])
        const jobLines = of.filter(
          (line) => line.name === 'kustos-worker' && /^job (done|failed)/.test(String(line.msg)),
        )
        expect(jobLines).toMatchObject([{ job: expect.stringMatching(/^(deployment|inspection)-\d+$/) }])
      },
      { timeout: 60_000 },
    )
  }
}, 180_000)

it("serves a worker's metrics under the same rules as the API's", async () => {
  const requestMetrics = (headers: Record<string, string> = {}, path = '/metrics') =>
    fetch(`http://127.0.0.1:${metricsPort}${path}`, { headers })
  const response = await requestMetrics()
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
  ])
  const found = parsePrometheusText(await response.text())
  const jobs = (outcome: string) =>
    findSample(found, 'kustos_job_duration_seconds', { queue: 'deployment', outcome }, '_count') ?? 0
  expect(jobs('done') + jobs('failed')).toBe(1)
  expect(findSample(found, 'kustos_jobs_running', { queue: 'deployment' })).toBe(0)
  expect(findSample(found, 'kustos_build_info', { program: 'worker' })).toBe(1)
  expect(found.has('kustos_task_duration_seconds')).toBe(true)
  const forwarded = { 'x-forwarded-for': '127.0.0.1' }
  expect((await requestMetrics(forwarded)).status).toBe(401)
  expect((await requestMetrics({ ...forwarded, authorization: `Bearer ${metricsToken}` })).status).toBe(200)
  expect((await requestMetrics({}, '/')).status).toBe(404)
})

it('logs no secret when calls fail', async () => {
  const newPassword = 'annas next password, which is long'
  const attempts = [
    anna.send('PUT', `/api/users/${user}`, {
      name: 'Anna',
      email: 'anna@kustos.test',
      password: 'annas short',
    }),
    anna.send('POST', '/api/users', {
      name: 'Ben',
      email: 'ben@kustos.test',
      password: 'bens own password',
      roles: [],
    }),
    anna.send('POST', '/api/login', '{"email": "anna@kustos.test", "password": "password of half a body'),
    anna.send('POST', '/api/login', { email: 'anna@kustos.test', password: ['password in a list'] }),
    anna.fetch('/api/webs?token=token-of-a-query', {
      headers: { authorization: 'Bearer token-of-a-header' },
    }),
    new ApiClient(anna.origin).fetch('/api/users/current', {
      headers: { cookie: 'kustos_session=forged-session-cookie' },
    }),
    new ApiClient(anna.origin).fetch('/metrics', {
      headers: { via: 'x', authorization: 'Bearer token-that-is-wrong' },
    }),
    new ApiClient(anna.origin).fetch('/api/%', {
      headers: { cookie: 'kustos_session=cookie-of-a-bad-path' },
    }),
  ]
  for (const secret of [
    newPassword,
    'annas short',
    'bens own password',
    'password of half a body',
    'password in a list',
    'token-of-a-query',
    'token-of-a-header',
    'forged-session-cookie',
    'token-that-is-wrong',
    'cookie-of-a-bad-path',
  ])
    secrets.add(secret)
  await Promise.all(attempts)
  const settings = {
    name: 'Anna',
    email: 'anna@kustos.test',
    password: newPassword,
    current_password: password,
  }
  secrets.add(password)
  expect((await anna.send('PUT', `/api/users/${user}`, settings)).status).toBe(204)
  for (const value of anna.cookies.values()) {
    secrets.add(value)
    // The session id without its signature.
    secrets.add(decodeURIComponent(value).split('.')[0] ?? value)
  }
  // The failures of all services must have been logged.
  await vi.waitFor(
    () => {
      expect([...contacted].sort()).toEqual(['/2.0/', '/bot', '/limitis/', '/services/', 'mail'])
      const failed = lines().filter((line) => line.failed !== undefined || line.retryInMs !== undefined)
      expect(new Set(failed.map((line) => line.task ?? line.job))).toEqual(
        new Set([
          // The last one is a mail about the sign-in from a new browser. That about the new password waits for the others of its recipient.
          ...[1, 2, 3, 4].map((id) => `alert-${id}`),
          'refresh-repositories',
          'sync-registrar',
        ]),
      )
    },
    { timeout: 30_000 },
  )
  await Promise.all([end(api, 'SIGTERM'), end(worker, 'SIGTERM')])

  expect([...secrets].filter((secret) => output.includes(secret))).toEqual([])
})
