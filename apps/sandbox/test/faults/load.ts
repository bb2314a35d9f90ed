import { setTimeout as sleep } from 'node:timers/promises'
import { nodeActionNames } from '@kustos/contract/deployment'
import { newWebRequest } from '../deployer.ts'
import { createVisitor } from '../system.ts'
import type { Ledger, Outcome, Table } from './ledger.ts'
import type { Random } from './random.ts'

/** A response that must never occur. */
export interface LoadError {
  readonly call: string
  readonly what: string
}

export interface LoadGenerator {
  /** The number of responses by status; 0 for none. */
  readonly responses: ReadonlyMap<number, number>
  readonly errors: readonly LoadError[]
  /** The signed-in visitors, whose sessions have to last. */
  readonly visitors: readonly ReturnType<typeof createVisitor>[]
  /** Waits for the current calls and starts no more. */
  stop(): Promise<void>
}

export interface LoadOptions {
  readonly url: string
  readonly ledger: Ledger
  readonly random: Random
  /** Makes the names unique among several loads on the same database. */
  readonly prefix: string
  /** Whether a response may be missing because the API was down. */
  mayLoseConnection(started: number): boolean
}

const timeoutMs = 20_000
const password = 'kustos-sandbox'
const emails = ['admin@kustos.test', 'hosting@kustos.test', 'team-lead@kustos.test']

/** Performs all kinds of changes continuously until stopped. */
export async function startLoad({
  url,
  ledger,
  random,
  prefix,
  mayLoseConnection,
}: LoadOptions): Promise<LoadGenerator> {
  const responses = new Map<number, number>()
  const errors: LoadError[] = []
  const visitors: ReturnType<typeof createVisitor>[] = []
  let isOn = true
  let counter = 0
  const unique = (what: string) => `${what}-${prefix}-${++counter}`

  const admin = createVisitor(url)
  const signInResponse = await admin.signIn('admin@kustos.test', password)
  if (signInResponse.status !== 204) throw new Error(`The load cannot sign in: ${signInResponse.status}`)
  visitors.push(admin)

  /** @returns null without a response */
  async function call(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ outcome: Outcome; response: Response; bytes: Buffer } | null> {
    const started = Date.now()
    const [, , kind = ''] = path.split('/')
    const label = `${method} ${kind}`
    try {
      const response = await admin.call(method, path, body, timeoutMs)
      const bytes = Buffer.from(await response.arrayBuffer())
      responses.set(response.status, (responses.get(response.status) ?? 0) + 1)
      if (response.status >= 500 && response.status !== 503 && response.status !== 502)
        errors.push({ call: label, what: `${response.status} ${bytes.toString().slice(0, 200)}` })
      if (response.status === 401) errors.push({ call: label, what: 'was signed out' })
      if (response.status === 503 && response.headers.get('retry-after') === null)
        errors.push({ call: label, what: `503 without Retry-After: ${bytes.toString().slice(0, 200)}` })
      const outcome = response.ok ? 'acknowledged' : response.status >= 500 ? 'unknown' : 'refused'
      return { outcome, response, bytes }
    } catch (error) {
      responses.set(0, (responses.get(0) ?? 0) + 1)
      if (!mayLoseConnection(started))
        errors.push({ call: label, what: `no response: ${describeError(error)}` })
      await sleep(200)
      return null
    }
  }

  /** @returns the row's id if acknowledged */
  async function create(table: Table, name: string, value: string, path: string, body: object) {
    const created = await call('POST', path, body)
    ledger.recordWrite(table, name, { value, outcome: created?.outcome ?? 'unknown' })
    if (created?.outcome !== 'acknowledged') return null
    const { id } = JSON.parse(created.bytes.toString()) as { id: number }
    return id
  }

  async function write(table: Table, name: string, value: string | null, path: string, body?: object) {
    const done = await call(value === null ? 'DELETE' : 'PUT', path, body)
    ledger.recordWrite(table, name, { value, outcome: done?.outcome ?? 'unknown' })
  }

  /** Creates a row, changes it some times and sometimes deletes it. */
  async function exerciseRow(
    table: Table,
    name: string,
    path: string,
    buildBody: (value: string, isNew: boolean) => object,
  ) {
    const first = unique('value')
    const id = await create(table, name, first, path, buildBody(first, true))
    if (id === null) return
    for (let times = random.int(0, 6); times > 0 && isOn; times--) {
      const value = unique('value')
      await write(table, name, value, `${path}/${id}`, buildBody(value, false))
    }
    if (random.int(0, 2) === 0 && isOn) await write(table, name, null, `${path}/${id}`)
  }

  async function requestWork(table: 'deployments' | 'inspections', path: string, body?: object) {
    const result = await call('POST', path, body)
    if (result?.outcome !== 'acknowledged') return
    ledger.recordRequest({ table, id: Number(result.response.headers.get('location')?.split('/').at(-1)) })
  }

  const list = await call('GET', '/api/webs')
  if (list === null) throw new Error('The load finds no webs')
  const { data: webs } = JSON.parse(list.bytes.toString()) as { data: { id: number; node: string | null }[] }
  const onCloud = webs.filter(({ node }) => node?.includes('cloud'))
  const rolesResult = await call('GET', '/api/roles')
  const roles = JSON.parse(rolesResult?.bytes.toString() ?? '[]') as { id: number; name: string }[]
  const readers = roles.filter(({ name }) => name === 'read only').map(({ id }) => id)

  const activities: (() => Promise<void>)[] = [
    ...[1, 2].map(() => () => {
      const fqdn = unique('web').concat('.test')
      return exerciseRow('webs', fqdn, '/api/webs', (comment) => ({
        fqdn,
        customer: 'FAULTS',
        configured_ip: '192.0.2.1',
        comment,
      }))
    }),
    () => {
      const fqdn = unique('domain').concat('.test')
      return exerciseRow('external_domains', fqdn, '/api/externalDomains', (domainprovider) => ({
        fqdn,
        customer: 'FAULTS',
        domainprovider,
      }))
    },
    () => {
      const email = unique('user').concat('@kustos.test')
      return exerciseRow('users', email, '/api/users', (name, isNew) => ({
        email,
        name,
        ...(isNew && { password: `${prefix} and a long password` }),
        roles: readers,
        monitoring_mail_subscription: false,
      }))
    },
    async () => {
      await requestWork('deployments', `/api/deployment/${random.pick(nodeActionNames)}`, {
        id: random.pick(onCloud).id,
      })
      await sleep(random.int(100, 700))
    },
    async () => {
      await requestWork('deployments', '/api/deployment/newWeb', newWebRequest(unique('neu').concat('.test')))
      await sleep(random.int(1_500, 4_000))
    },
    async () => {
      const route = random.pick(['refreshWeb', 'updateTracking'])
      await requestWork('inspections', `/api/request/${route}/${random.pick(webs).id}`)
      await sleep(random.int(100, 900))
    },
    async () => {
      const result = await call('GET', '/api/webs/export')
      if (result?.outcome === 'acknowledged' && !isCompleteZip(result))
        errors.push({ call: 'GET export', what: `${result.bytes.length} bytes that are not a workbook` })
      await sleep(random.int(200, 900))
    },
    async () => {
      const visitor = createVisitor(url)
      const started = Date.now()
      try {
        const response = await visitor.signIn(random.pick(emails), password)
        if (response.status === 204) visitors.push(visitor)
        // 419: the API could not issue a token. 502: the edge lost it.
        else if (![419, 429, 502, 503].includes(response.status))
          errors.push({ call: 'sign in', what: String(response.status) })
      } catch (error) {
        if (!mayLoseConnection(started))
          errors.push({ call: 'sign in', what: `no response: ${describeError(error)}` })
      }
      await sleep(random.int(8_000, 16_000))
    },
  ]
  const running = Promise.all(
    activities.map(async (activity) => {
      while (isOn) {
        await activity()
        await sleep(random.int(20, 200))
      }
    }),
  )
  return {
    responses,
    errors,
    visitors,
    async stop() {
      isOn = false
      await running
    },
  }
}

/** A ZIP file starts with PK and ends with its directory record, which has no comment here. */
const isCompleteZip = ({ bytes }: { bytes: Buffer }) =>
  bytes.subarray(0, 2).toString() === 'PK' && bytes.subarray(-22, -18).toString('latin1') === 'PK\u0005\u0006'

function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}
