import { setTimeout as sleep } from 'node:timers/promises'
import { nodeActionNames } from '@kustos/contract/deployment'
import { request } from '../deploying.ts'
import { visitor } from '../system.ts'
import type { Ledger, Outcome, Table } from './ledger.ts'
import type { Random } from './random.ts'

/** What nobody may ever be answered with, and where. */
export interface Wrong {
  readonly call: string
  readonly what: string
}

export interface Load {
  /** Of the answers, by their status; 0 where none came. */
  readonly answers: ReadonlyMap<number, number>
  readonly wrong: readonly Wrong[]
  /** Those who signed in, each of whom is to stay so. */
  readonly people: readonly ReturnType<typeof visitor>[]
  /** Ends what is under way, and begins nothing more. */
  stop(): Promise<void>
}

export interface LoadOptions {
  readonly url: string
  readonly ledger: Ledger
  readonly random: Random
  /** Sets the names of this load apart from those of another one on the same database. */
  readonly prefix: string
  /** Whether an answer may fail to come now: while the API itself is away. */
  mayBreakOff(started: number): boolean
}

const patience = 20_000
const password = 'kustos-sandbox'
const emails = ['admin@kustos.test', 'hosting@kustos.test', 'team-lead@kustos.test']

/** Staff who do everything that leaves a trace, all the time, until they are asked to stop. */
export async function startLoad({ url, ledger, random, prefix, mayBreakOff }: LoadOptions): Promise<Load> {
  const answers = new Map<number, number>()
  const wrong: Wrong[] = []
  const people: ReturnType<typeof visitor>[] = []
  let isOn = true
  let made = 0
  const unique = (what: string) => `${what}-${prefix}-${++made}`

  const admin = visitor(url)
  const signedIn = await admin.signIn('admin@kustos.test', password)
  if (signedIn.status !== 204) throw new Error(`The load cannot sign in: ${signedIn.status}`)
  people.push(admin)

  /** @returns null where no answer came */
  async function call(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ outcome: Outcome; answer: Response; bytes: Buffer } | null> {
    const started = Date.now()
    const [, , kind = ''] = path.split('/')
    const named = `${method} ${kind}`
    try {
      const answer = await admin.call(method, path, body, patience)
      const bytes = Buffer.from(await answer.arrayBuffer())
      answers.set(answer.status, (answers.get(answer.status) ?? 0) + 1)
      if (answer.status >= 500 && answer.status !== 503 && answer.status !== 502)
        wrong.push({ call: named, what: `${answer.status} ${bytes.toString().slice(0, 200)}` })
      if (answer.status === 401) wrong.push({ call: named, what: 'was signed out' })
      if (answer.status === 503 && answer.headers.get('retry-after') === null)
        wrong.push({ call: named, what: `503 without Retry-After: ${bytes.toString().slice(0, 200)}` })
      const outcome = answer.ok ? 'acknowledged' : answer.status >= 500 ? 'unknown' : 'refused'
      return { outcome, answer, bytes }
    } catch (error) {
      answers.set(0, (answers.get(0) ?? 0) + 1)
      if (!mayBreakOff(started)) wrong.push({ call: named, what: `no answer: ${reasonOf(error)}` })
      await sleep(200)
      return null
    }
  }

  /** @returns the row's id where it was acknowledged */
  async function create(table: Table, name: string, value: string, path: string, body: object) {
    const created = await call('POST', path, body)
    ledger.note(table, name, { value, outcome: created?.outcome ?? 'unknown' })
    if (created?.outcome !== 'acknowledged') return null
    const { id } = JSON.parse(created.bytes.toString()) as { id: number }
    return id
  }

  async function write(table: Table, name: string, value: string | null, path: string, body?: object) {
    const done = await call(value === null ? 'DELETE' : 'PUT', path, body)
    ledger.note(table, name, { value, outcome: done?.outcome ?? 'unknown' })
  }

  /** A row's life: made, changed some times, now and then deleted. */
  async function live(
    table: Table,
    name: string,
    path: string,
    bodyOf: (value: string, isNew: boolean) => object,
  ) {
    const first = unique('value')
    const id = await create(table, name, first, path, bodyOf(first, true))
    if (id === null) return
    for (let times = random.int(0, 6); times > 0 && isOn; times--) {
      const value = unique('value')
      await write(table, name, value, `${path}/${id}`, bodyOf(value, false))
    }
    if (random.int(0, 2) === 0 && isOn) await write(table, name, null, `${path}/${id}`)
  }

  async function ask(table: 'deployments' | 'inspections', path: string, body?: object) {
    const asked = await call('POST', path, body)
    if (asked?.outcome !== 'acknowledged') return
    ledger.ask({ table, id: Number(asked.answer.headers.get('location')?.split('/').at(-1)) })
  }

  const list = await call('GET', '/api/webs')
  if (list === null) throw new Error('The load finds no webs')
  const { data: webs } = JSON.parse(list.bytes.toString()) as { data: { id: number; node: string | null }[] }
  const onCloud = webs.filter(({ node }) => node?.includes('cloud'))
  const rolesAnswer = await call('GET', '/api/roles')
  const roles = JSON.parse(rolesAnswer?.bytes.toString() ?? '[]') as { id: number; name: string }[]
  const readers = roles.filter(({ name }) => name === 'read only').map(({ id }) => id)

  const works: (() => Promise<void>)[] = [
    ...[1, 2].map(() => () => {
      const fqdn = unique('web').concat('.test')
      return live('webs', fqdn, '/api/webs', (comment) => ({
        fqdn,
        customer: 'FAULTS',
        configured_ip: '192.0.2.1',
        comment,
      }))
    }),
    () => {
      const fqdn = unique('domain').concat('.test')
      return live('external_domains', fqdn, '/api/externalDomains', (domainprovider) => ({
        fqdn,
        customer: 'FAULTS',
        domainprovider,
      }))
    },
    () => {
      const email = unique('user').concat('@kustos.test')
      return live('users', email, '/api/users', (name, isNew) => ({
        email,
        name,
        ...(isNew && { password: `${prefix} and a long password` }),
        roles: readers,
        monitoring_mail_subscription: false,
      }))
    },
    async () => {
      await ask('deployments', `/api/deployment/${random.pick(nodeActionNames)}`, {
        id: random.pick(onCloud).id,
      })
      await sleep(random.int(100, 700))
    },
    async () => {
      await ask('deployments', '/api/deployment/newWeb', request(unique('neu').concat('.test')))
      await sleep(random.int(1_500, 4_000))
    },
    async () => {
      const route = random.pick(['refreshWeb', 'updateTracking'])
      await ask('inspections', `/api/request/${route}/${random.pick(webs).id}`)
      await sleep(random.int(100, 900))
    },
    async () => {
      const exported = await call('GET', '/api/webs/export')
      if (exported?.outcome === 'acknowledged' && !isWhole(exported))
        wrong.push({ call: 'GET export', what: `${exported.bytes.length} bytes that are no workbook` })
      await sleep(random.int(200, 900))
    },
    async () => {
      const person = visitor(url)
      const started = Date.now()
      try {
        const answer = await person.signIn(random.pick(emails), password)
        if (answer.status === 204) people.push(person)
        // 419: the token could not be given out.
        else if (![419, 429, 503].includes(answer.status))
          wrong.push({ call: 'sign in', what: String(answer.status) })
      } catch (error) {
        if (!mayBreakOff(started)) wrong.push({ call: 'sign in', what: `no answer: ${reasonOf(error)}` })
      }
      await sleep(random.int(8_000, 16_000))
    },
  ]
  const working = Promise.all(
    works.map(async (work) => {
      while (isOn) {
        await work()
        await sleep(random.int(20, 200))
      }
    }),
  )
  return {
    answers,
    wrong,
    people,
    async stop() {
      isOn = false
      await working
    },
  }
}

/** A zip begins with PK and ends with the record of its directory, which has no comment here. */
const isWhole = ({ bytes }: { bytes: Buffer }) =>
  bytes.subarray(0, 2).toString() === 'PK' && bytes.subarray(-22, -18).toString('latin1') === 'PK\u0005\u0006'

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}
