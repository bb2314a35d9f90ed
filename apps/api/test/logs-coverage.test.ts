import { file, type Route, urlOf } from '@kustos/contract/route'
import {
  categories,
  deployments,
  externalDomains,
  logEntries,
  nodes,
  repositories,
  repositorySyncs,
  roles,
  users,
  webs,
} from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { eq, gt } from 'drizzle-orm'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { routes } from './routes.ts'
import { createUser, listen, password, Visitor } from './visitor.ts'

const database = await testDatabase()
const { db } = database
let clock = 0
const origin = await listen(database, { now: () => new Date(Date.now() + clock) })

/** Whatever must not stand in the log: passwords, and every cookie that a visitor ever held. */
const secrets = new Set<string>([password])
const visitors: Visitor[] = []
let admin: Visitor
let adminId: number
let categoryId: number
let nodeId: number
let made = 0

async function visit(email: string): Promise<Visitor> {
  const visitor = new Visitor(origin)
  visitors.push(visitor)
  expect((await visitor.signIn(email)).status).toBe(204)
  return visitor
}

/** An admin with a session of their own, for what ends sessions. */
async function anotherAdmin() {
  const email = `admin${++made}@kustos.test`
  const id = await createUser(database, email, 'admin')
  return { id, email, visitor: await visit(email) }
}

beforeAll(async () => {
  adminId = await createUser(database, 'admin@kustos.test', 'admin')
  admin = await visit('admin@kustos.test')
  const [category] = await db.insert(categories).values({ name: 'Hotel' }).returning()
  const [node] = await db
    .insert(nodes)
    .values({ name: 'n1', plesk_fqdn: 'n1.plesk.test', address: '192.0.2.1', cloud_enabled: true })
    .returning()
  if (!category || !node) throw new Error('The places were not kept')
  categoryId = category.id
  nodeId = node.id
  const name = 'web134-kickstarter-base'
  const at = new Date()
  await db.insert(repositories).values({
    name,
    project_key: 'TP',
    project_name: 'TP',
    description: '',
    html_url: `https://bitbucket.test/agency/${name}`,
    clone_url: `https://bitbucket.test/agency/${name}.git`,
    created_on: at,
    updated_on: at,
  })
  await db.insert(repositorySyncs).values({ succeeded_at: at })
})

afterEach(() => {
  for (const { cookies } of visitors)
    for (const value of cookies.values())
      for (const form of [value, decodeURIComponent(value)]) {
        secrets.add(form)
        // A signed cookie is the session's id, a dot and the signature.
        for (const part of form.split('.')) if (part.length > 16) secrets.add(part)
      }
})

const idOf = ([row]: readonly { id: number }[]) => {
  if (!row) throw new Error('The row was not kept')
  return row.id
}
const aWeb = async (more: Partial<typeof webs.$inferInsert> = {}) => {
  const fqdn = `web${++made}.test`
  const row = { fqdn, fqdn_ascii: fqdn, customer: 'ALPEN', configured_ip: '192.0.2.1', node_id: nodeId }
  return idOf(
    await db
      .insert(webs)
      .values({ ...row, ...more })
      .returning({ id: webs.id }),
  )
}
const aDeployment = async (state: string) => {
  const at = new Date()
  const web_id = await aWeb()
  const row = { kind: 'backupWeb', state, fqdn: `web${made}.test`, created_at: at, updated_at: at }
  return idOf(
    await db
      .insert(deployments)
      .values({ ...row, web_id, node_id: nodeId })
      .returning({ id: deployments.id }),
  )
}
const aDomain = async () => {
  const fqdn = `domain${++made}.test`
  const row = { fqdn, fqdn_ascii: fqdn, customer: 'ALPEN', domainprovider: 'Other' }
  return idOf(await db.insert(externalDomains).values(row).returning({ id: externalDomains.id }))
}
const aRole = async () =>
  idOf(
    await db
      .insert(roles)
      .values({ name: `role ${++made}` })
      .returning({ id: roles.id }),
  )
const aUser = (email = `user${++made}@kustos.test`) => createUser(database, email, ['view webs'])

interface Attempt {
  readonly by?: Visitor
  readonly causer?: number
  readonly params?: Readonly<Record<string, number>>
  readonly body?: unknown
  /** What the entry says. */
  readonly says: object
}

const action = (name: string) => async (): Promise<Attempt> => {
  const id = await aWeb({ repository: 'web134-kickstarter-base' })
  return {
    body: { id },
    says: {
      log_name: 'deployment',
      description: `${name} requested`,
      subject_type: 'web',
      subject_id: id,
      properties: { attributes: { deployment: expect.any(Number) } },
    },
  }
}
const inspection = (log_name: string, description: string) => async (): Promise<Attempt> => {
  const id = await aWeb()
  const says = { log_name, description, subject_type: 'web', subject_id: id }
  return { params: { id }, says }
}
const domain = { fqdn: 'extern.test', customer: 'BERG', domainprovider: 'Other' }
const web = { fqdn: 'new.test', customer: 'ALPEN', configured_ip: '192.0.2.7' }

/** A successful call of each route that changes something, and what it leaves in the log. */
const attempts: Readonly<Record<string, () => Promise<Attempt>>> = {
  'auth.signIn': async () => {
    const by = new Visitor(origin)
    visitors.push(by)
    await by.fetch('/sanctum/csrf-cookie')
    return {
      by,
      body: { email: 'admin@kustos.test', password, remember: true },
      says: {
        log_name: 'auth',
        description: 'signed in',
        subject_type: 'user',
        subject_id: adminId,
        properties: { attributes: { address: '127.0.0.1' } },
      },
    }
  },
  'auth.signOut': async () => {
    const { id, visitor } = await anotherAdmin()
    const says = { log_name: 'auth', description: 'signed out', subject_type: 'user', subject_id: id }
    return { by: visitor, causer: id, says }
  },
  'auth.endSession': async () => {
    const { id, email, visitor } = await anotherAdmin()
    await visit(email)
    const sessions = await visitor.json<{ id: number; is_current: boolean }[]>('/api/sessions')
    const other = idOf(sessions.filter((session) => !session.is_current))
    const says = { log_name: 'auth', description: 'session ended', subject_type: 'user', subject_id: id }
    return { by: visitor, causer: id, params: { id: other }, says }
  },
  'auth.endOtherSessions': async () => {
    const { id, email, visitor } = await anotherAdmin()
    await visit(email)
    return {
      by: visitor,
      causer: id,
      says: {
        log_name: 'auth',
        description: 'other sessions ended',
        properties: { attributes: { sessions: 1 } },
      },
    }
  },
  'deployment.updateWeb': action('updateWeb'),
  'deployment.exportDatabase': action('exportDatabase'),
  'deployment.exportDatabaseKick': action('exportDatabaseKick'),
  'deployment.importDatabase': action('importDatabase'),
  'deployment.backupWeb': action('backupWeb'),
  'deployment.newWeb': async () => {
    const asked = {
      sourceRepo: 'web134-kickstarter-base',
      bnName: 'bn1234',
      futureDomain: 'alpenhof.test',
      customer: 'ALPEN',
    }
    const attributes = { ...asked, repository: 'web134-alpenhof.test', node: 'n1' }
    const says = { log_name: 'deployment', description: 'newWeb requested', subject_type: 'deployment' }
    return { body: asked, says: { ...says, properties: { attributes } } }
  },
  'deployment.retryDeployment': async () => {
    const id = await aDeployment('failed')
    const says = { log_name: 'deployment', description: 'backupWeb retried', subject_type: 'web' }
    return { params: { id }, says: { ...says, properties: { attributes: { deployment: id } } } }
  },
  'deployment.cancelDeployment': async () => {
    const id = await aDeployment('waiting')
    const says = { log_name: 'deployment', description: 'backupWeb cancelled', subject_type: 'web' }
    return { params: { id }, says: { ...says, properties: { attributes: { deployment: id } } } }
  },
  'external-domains.createExternalDomain': async () => ({
    body: domain,
    says: {
      log_name: 'external-domains',
      description: 'created',
      subject_type: 'external_domain',
      properties: { attributes: domain },
    },
  }),
  'external-domains.editExternalDomain': async () => {
    const id = await aDomain()
    return {
      params: { id },
      body: { fqdn: `domain${made}.test`, customer: 'BERG', domainprovider: 'Other' },
      says: {
        description: 'updated',
        subject_type: 'external_domain',
        subject_id: id,
        properties: { old: { customer: 'ALPEN' }, attributes: { customer: 'BERG' } },
      },
    }
  },
  'external-domains.deleteExternalDomain': async () => {
    const id = await aDomain()
    const old = { fqdn: `domain${made}.test`, customer: 'ALPEN', domainprovider: 'Other' }
    const says = { description: 'deleted', subject_type: 'external_domain', subject_id: id }
    return { params: { id }, says: { ...says, properties: { old } } }
  },
  'tracking.updateTracking': inspection('tracking', 'audit requested'),
  'webs.refreshWeb': inspection('webs', 'refresh requested'),
  'webs.createWeb': async () => ({
    body: { ...web, node: 'n1', categories: [categoryId] },
    says: {
      log_name: 'webs',
      description: 'created',
      subject_type: 'web',
      properties: { attributes: expect.objectContaining({ ...web, node: 'n1', categories: ['Hotel'] }) },
    },
  }),
  'webs.editWeb': async () => {
    const id = await aWeb()
    const fqdn = `web${made}.test`
    return {
      params: { id },
      body: { fqdn, customer: 'BERG', configured_ip: '192.0.2.1', categories: [categoryId] },
      says: {
        log_name: 'webs',
        description: 'updated',
        subject_type: 'web',
        subject_id: id,
        properties: {
          old: { customer: 'ALPEN', categories: [] },
          attributes: { customer: 'BERG', categories: ['Hotel'] },
        },
      },
    }
  },
  'webs.deleteWeb': async () => {
    const id = await aWeb()
    const says = { log_name: 'webs', description: 'deleted', subject_type: 'web', subject_id: id }
    const old = expect.objectContaining({ fqdn: `web${made}.test`, node: 'n1' })
    return { params: { id }, says: { ...says, properties: { old } } }
  },
  'webs.restoreWeb': async () => {
    const id = await aWeb({ deleted_at: new Date() })
    const says = { log_name: 'webs', description: 'restored', subject_type: 'web', subject_id: id }
    const attributes = expect.objectContaining({ fqdn: `web${made}.test` })
    return { params: { id }, says: { ...says, properties: { attributes } } }
  },
  'webs.exportWebs': async () => {
    const rows = await db.$count(webs)
    const says = { log_name: 'webs', description: 'exported', subject_type: null }
    const attributes = { export: 'webs', rows: expect.any(Number) }
    expect(rows).toBeGreaterThan(0)
    return { says: { ...says, properties: { attributes } } }
  },
  'webs.exportTracking': async () => {
    const attributes = { export: 'tracking', rows: expect.any(Number) }
    return { says: { log_name: 'webs', description: 'exported', properties: { attributes } } }
  },
  'users.createUser': async () => {
    const facts = { email: 'new@kustos.test', name: 'New', monitoring_mail_subscription: true }
    secrets.add('a password of seven words')
    return {
      body: { ...facts, password: 'a password of seven words', roles: [await aRole()] },
      says: {
        log_name: 'users',
        description: 'created',
        subject_type: 'user',
        properties: { attributes: { ...facts, roles: [`role ${made}`] } },
      },
    }
  },
  'users.editUser': async () => {
    const id = await aUser()
    const email = `user${made}@kustos.test`
    secrets.add('another password, longer')
    return {
      params: { id },
      body: { email, name: 'Renamed', password: 'another password, longer', roles: [await aRole()] },
      says: {
        log_name: 'users',
        description: 'updated, with a new password',
        subject_type: 'user',
        subject_id: id,
        properties: {
          old: { name: email, roles: [`role of ${email}`] },
          attributes: { name: 'Renamed', roles: [`role ${made}`] },
        },
      },
    }
  },
  'users.deleteUser': async () => {
    const id = await aUser()
    const old = expect.objectContaining({ email: `user${made}@kustos.test` })
    const says = { log_name: 'users', description: 'deleted', subject_type: 'user', subject_id: id }
    return { params: { id }, says: { ...says, properties: { old } } }
  },
  'users.restoreUser': async () => {
    const id = await aUser()
    await db.update(users).set({ deleted_at: new Date() }).where(eq(users.id, id))
    const says = { log_name: 'users', description: 'restored', subject_type: 'user', subject_id: id }
    return { params: { id }, says }
  },
  'users.createRole': async () => {
    const attributes = { name: 'hosting', permissions: ['view webs'] }
    const says = { log_name: 'roles', description: 'created', subject_type: 'role' }
    return { body: attributes, says: { ...says, properties: { attributes } } }
  },
  'users.editRole': async () => {
    const id = await aRole()
    return {
      params: { id },
      body: { name: `role ${made}`, permissions: ['view logs'] },
      says: {
        log_name: 'roles',
        description: 'updated',
        subject_type: 'role',
        subject_id: id,
        properties: { old: { permissions: [] }, attributes: { permissions: ['view logs'] } },
      },
    }
  },
  'users.deleteRole': async () => {
    const id = await aRole()
    const old = { name: `role ${made}`, permissions: [] }
    const says = { log_name: 'roles', description: 'deleted', subject_type: 'role', subject_id: id }
    return { params: { id }, says: { ...says, properties: { old } } }
  },
}

const newest = async () =>
  (await db.select({ id: logEntries.id }).from(logEntries)).map(({ id }) => id).sort((a, b) => b - a)[0] ?? 0
const since = (id: number) => db.select().from(logEntries).where(gt(logEntries.id, id)).orderBy(logEntries.id)

/** What changes something, and what hands the inventory out as a file. */
const traced = Object.entries(routes).filter(([, route]) => route.method !== 'GET' || route.answer === file)

it('the table has every route that is to leave a trace', () => {
  expect(Object.keys(attempts).sort()).toEqual(traced.map(([name]) => name).sort())
})

describe('a successful call leaves one entry', () => {
  it.each(traced)('%s', async (name, route: Route) => {
    const attempt = await attempts[name]?.()
    if (!attempt) throw new Error(`The table lacks ${name}`)
    const { by = admin, causer = adminId, params, body, says } = attempt
    const before = await newest()
    const answer = await by.send(route.method, urlOf(route, params), body)
    expect(answer.status, await answer.clone().text()).toBe(route.status)
    const entries = await since(before)
    expect(entries).toHaveLength(1)
    expect(entries[0]).toMatchObject({ ...says, causer_id: causer })
    expect(
      Object.keys(entries[0]?.properties ?? {}).every((key) => ['old', 'attributes'].includes(key)),
    ).toBe(true)
  })
})

describe('a call that changes nothing leaves none', () => {
  it.each(['editWeb', 'editRole'])('%s', async (name) => {
    const [route, id, body] =
      name === 'editWeb'
        ? [
            routes['webs.editWeb'],
            await aWeb(),
            { fqdn: `web${made}.test`, customer: 'ALPEN', configured_ip: '192.0.2.1' },
          ]
        : [routes['users.editRole'], await aRole(), { name: `role ${made}`, permissions: [] }]
    const before = await newest()
    expect((await admin.send('PUT', urlOf(route as Route, { id }), body)).status).toBe(204)
    expect(await since(before)).toEqual([])
  })
})

describe('a denied call', () => {
  const denied = (attributes: object, causer_id: number) => ({
    log_name: 'auth',
    description: 'denied',
    subject_type: null,
    causer_id,
    properties: { attributes },
  })

  it('leaves an entry with its route, and with the id that it was about', async () => {
    const id = await createUser(database, 'curious@kustos.test', ['view webs'])
    const curious = await visit('curious@kustos.test')
    const before = await newest()
    expect((await curious.fetch('/api/logs?limit=7')).status).toBe(403)
    expect((await curious.send('DELETE', '/api/webs/4711')).status).toBe(403)
    expect((await curious.send('DELETE', '/api/webs/nonsense')).status).toBe(403)
    // Denied by the verb, not by the route.
    expect((await curious.fetch('/api/webs?deleted=1')).status).toBe(403)
    expect(await since(before)).toMatchObject([
      denied({ method: 'GET', route: '/api/logs' }, id),
      denied({ method: 'DELETE', route: '/api/webs/:id', id: 4711 }, id),
      denied({ method: 'GET', route: '/api/webs' }, id),
    ])
  })

  it('leaves one a minute for each user and route', async () => {
    const [first, second] = ['first@kustos.test', 'second@kustos.test']
    const ids = [await createUser(database, first, []), await createUser(database, second, [])]
    const [one, two] = [await visit(first), await visit(second)]
    const before = await newest()
    for (const visitor of [one, two])
      await Promise.all(Array.from({ length: 10 }, () => visitor.fetch('/api/webs')))
    expect((await since(before)).map(({ causer_id }) => causer_id)).toEqual(ids)
    clock += 61_000
    await one.fetch('/api/webs')
    await one.fetch('/api/webs')
    expect(await since(before)).toHaveLength(3)
  })

  it('that nobody was signed in for, or without a token, leaves none', async () => {
    const nobody = new Visitor(origin)
    const before = await newest()
    expect((await nobody.fetch('/api/webs')).status).toBe(401)
    expect((await admin.fetch('/api/webs/1', { method: 'DELETE' })).status).toBe(419)
    expect(await since(before)).toEqual([])
  })
})

it('a refused sign-in leaves an entry with who tried it and from where', async () => {
  const nobody = new Visitor(origin)
  visitors.push(nobody)
  secrets.add('not the password at all')
  for (const [email, subject_id] of [
    ['admin@kustos.test', adminId],
    ['stranger@kustos.test', null],
  ] as const) {
    const before = await newest()
    expect((await nobody.signIn(email, 'not the password at all')).status).toBe(401)
    expect(await since(before)).toMatchObject([
      {
        log_name: 'auth',
        description: 'sign-in refused',
        subject_id,
        causer_id: null,
        properties: { attributes: { email, address: '127.0.0.1' } },
      },
    ])
  }
})

it('no password, cookie or token that was used here stands anywhere in the log', async () => {
  expect(secrets.size).toBeGreaterThan(30)
  const { rows } = await database.pool.query<{ line: string }>(
    'select to_json(log_entries)::text as line from log_entries',
  )
  expect(rows.length).toBeGreaterThan(40)
  for (const { line } of rows) {
    for (const secret of secrets) expect(line.includes(secret), `${secret} stands in ${line}`).toBe(false)
    expect(line).not.toMatch(/\$argon2|"(password|token|cookie|secret)\w*":/i)
  }
})
