import { type Batch, type BatchAction, type BatchPreview, batchActions } from '@kustos/contract/batches'
import type { Permission } from '@kustos/contract/permissions'
import { batches, batchTargets, deployments, inspections, userRoles, webs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { advanceBatches } from '@kustos/domain/batches'
import { createContext } from '@kustos/domain/platform/context'
import { desc, eq, inArray } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { type ApiClient, createTestServices, createUser, signIn } from './api-client.ts'
import { openDeployments } from './deployments.ts'
import { only } from './logged-fixtures.ts'
import { seedRoles } from './seed-roles.ts'

const database = await testDatabase()
const { db } = database
const { origin, insertWeb } = await openDeployments(database)
const { deployments: tools } = await createTestServices(database)

/** Which permission an action needs, on one web as on many, if it is not `edit webs`. */
const neededBesides: Partial<Record<BatchAction, Permission>> = {
  endMaintenance: 'plan maintenance',
  delete: 'delete webs',
  restore: 'restore webs',
}
const neededFor = (action: BatchAction): Permission => neededBesides[action] ?? 'edit webs'
const opposites: Partial<Record<BatchAction, BatchAction>> = {
  changeCheck: 'changeCheck',
  edit: 'edit',
  delete: 'restore',
  restore: 'delete',
}

/** Those of the sandbox, which all may see webs, and one that only has to watch the queue. */
const roles: typeof seedRoles = { ...seedRoles, 'queue only': ['view queue'] }
const users = new Map<string, { readonly id: number; readonly client: ApiClient }>()

beforeAll(async () => {
  for (const [role, granted] of Object.entries(roles)) {
    const email = `${role.replaceAll(' ', '-')}@kustos.test`
    const id = await createUser(database, email, granted)
    users.set(role, { id, client: await signIn(origin, email) })
  }
}, 60_000)

function userOf(role: string) {
  const found = users.get(role)
  if (found === undefined) throw new Error(`There is no user with the role ${role}`)
  return found
}

const has = (role: string, permission: Permission): boolean => {
  const granted = roles[role] ?? []
  return granted === 'admin' || granted.includes(permission)
}
const mayRun = (role: string, action: BatchAction) => has(role, neededFor(action))
/** Whether the role reaches the calls of batches at all. */
const isActor = (role: string) => batchActions.some((action) => mayRun(role, action))

const requestOf = (action: BatchAction, ids: readonly number[]) => ({
  action,
  webs: ids,
  ...(action === 'edit' && { edits: { comment: 'Changed' } }),
  ...(action === 'changeCheck' && { check: { slow_ms: 2000 } }),
})

/** A web that the action applies to. */
async function targetOf(action: BatchAction): Promise<number> {
  const id = await insertWeb()
  const fields = {
    ...(action === 'restore' && { deleted_at: new Date() }),
    ...(action === 'exportDatabaseKick' && { repository: `kickstarter-${id}` }),
  }
  if (Object.keys(fields).length > 0) await db.update(webs).set(fields).where(eq(webs.id, id))
  if (action === 'endMaintenance') {
    const times = { starts_at: new Date(), ends_at: new Date(Date.now() + 3_600_000) }
    const window = { reason: 'Kernel', webs: [id], repeats: 'once', ...times }
    await userOf('admin').client.send('POST', '/api/maintenance-windows', window)
  }
  return id
}

/** An ended batch of an administrator, which has succeeded for one web. */
async function insertEnded(action: BatchAction): Promise<{ readonly id: number; readonly web: number }> {
  const [web, at] = [await targetOf(action), new Date()]
  const times = { created_at: at, updated_at: at, ended_at: at }
  const { edits, check } = requestOf(action, [web])
  const changes = { edits: edits ?? null, check: check ?? null }
  const row = { action, state: 'succeeded', requested_by: userOf('admin').id, parallel: 1, stop_above: 0 }
  const { id } = only(
    await db
      .insert(batches)
      .values({ ...row, ...changes, ...times })
      .returning(),
  )
  await db.insert(batchTargets).values({ batch_id: id, position: 0, web_id: web, state: 'succeeded' })
  return { id, web }
}

const countBatches = () => db.$count(batches)
const advance = () => advanceBatches(createContext(database), tools, new AbortController().signal)

describe.each(Object.keys(roles))('%s', (role) => {
  it.each(batchActions)('previews and requests %s only with its permission', async (action) => {
    const { client } = userOf(role)
    const request = requestOf(action, [await targetOf(action)])
    const before = await countBatches()
    const preview = await client.send('POST', '/api/batches/preview', request)
    const created = await client.send('POST', '/api/batches', request)
    const allowed = mayRun(role, action)
    expect([preview.status, created.status]).toEqual(allowed ? [200, 201] : [403, 403])
    if (allowed) expect(((await preview.json()) as BatchPreview).eligible).toBe(1)
    expect((await countBatches()) - before).toBe(allowed ? 1 : 0)
  })

  it('learns nothing of deleted webs from a preview without the permission to restore them', async () => {
    const deleted = await targetOf('restore')
    const response = await userOf(role).client.send(
      'POST',
      '/api/batches/preview',
      requestOf('refresh', [deleted]),
    )
    if (!mayRun(role, 'refresh')) return expect(response.status).toBe(403)
    const { skipped } = (await response.json()) as BatchPreview
    const isVisible = has(role, 'restore webs')
    expect(skipped).toMatchObject([
      { web_id: deleted, reason_code: isVisible ? 'web_deleted' : 'web_not_found' },
    ])
    expect(skipped[0]?.fqdn === null).toBe(!isVisible)
  })

  it('sees the batches of others only with the queue, and the names of deleted webs only if they may restore them', async () => {
    const { client } = userOf(role)
    const { id, web } = await insertEnded('restore')
    const seesQueue = has(role, 'view queue')
    const [list, page] = [await client.fetch('/api/batches'), await client.fetch(`/api/batches/${id}`)]
    if (!isActor(role) && !seesQueue) return expect([list.status, page.status]).toEqual([403, 403])
    expect([list.status, page.status]).toEqual([200, seesQueue ? 200 : 404])
    const { data } = (await list.json()) as { data: Batch[] }
    expect(data.some((batch) => batch.id === id)).toBe(seesQueue)
    if (!seesQueue) return
    const { targets } = (await page.json()) as Batch
    expect(targets).toMatchObject([{ web_id: web, state: 'succeeded' }])
    expect(targets[0]?.fqdn === null).toBe(!has(role, 'restore webs'))
  })

  it.each(['edit', 'changeCheck', 'refresh'] as const)(
    'reads the webs and the changes of %s of others only if they may see webs',
    async (action) => {
      const { client } = userOf(role)
      const { id } = await insertEnded(action)
      if (!has(role, 'view queue')) return
      const page = await client.json<Batch>(`/api/batches/${id}`)
      const { data } = await client.json<{ data: Batch[] }>('/api/batches')
      const isHidden = !has(role, 'view webs')
      for (const { edits, check } of [page, only(data.filter((batch) => batch.id === id))])
        expect([edits !== null, check !== null]).toEqual([
          !isHidden && action === 'edit',
          !isHidden && action === 'changeCheck',
        ])
      expect(page.targets.map(({ fqdn }) => fqdn === null)).toEqual([isHidden])
    },
  )

  it.each(batchActions)(
    'controls %s of others only with its permission, and if they see it',
    async (action) => {
      const { client } = userOf(role)
      const { id } = await insertEnded(action)
      const refused = !isActor(role)
        ? 403
        : !has(role, 'view queue')
          ? 404
          : mayRun(role, action)
            ? null
            : 403
      const before = await countBatches()
      const control = async (name: string) => (await client.send('POST', `/api/batches/${id}/${name}`)).status
      // It has ended, and every web has succeeded.
      expect([await control('cancel'), await control('retry')]).toEqual(
        refused === null ? [409, 409] : [refused, refused],
      )
      const opposite = opposites[action]
      const mayRevert = opposite !== undefined && mayRun(role, opposite)
      const ofOpposite = opposite === undefined ? 409 : mayRevert ? 201 : 403
      const previewed = (await client.fetch(`/api/batches/${id}/revert`)).status
      expect(previewed).toBe(refused ?? (ofOpposite === 201 ? 200 : ofOpposite))
      expect(await control('revert')).toBe(refused ?? ofOpposite)
      expect((await countBatches()) - before).toBe(refused === null && mayRevert ? 1 : 0)
    },
  )
})

describe.each(batchActions)('%s, requested by a user who loses the permission', (action) => {
  it('changes nothing more, and is out of the user’s reach', async () => {
    const email = `lost-${action}@kustos.test`.toLowerCase()
    const user = await createUser(database, email, [neededFor(action), 'view webs'])
    const client = await signIn(origin, email)
    const ids = [await targetOf(action), await targetOf(action)]
    const created = await client.send('POST', '/api/batches', requestOf(action, ids))
    expect(created.status).toBe(201)
    const { id } = (await created.json()) as { id: number }
    const rows = () => db.select().from(webs).where(inArray(webs.id, ids)).orderBy(webs.id)
    const before = await rows()
    await db.delete(userRoles).where(eq(userRoles.user_id, user))
    for (const path of ['', '/cancel', '/retry', '/revert'])
      expect((await client.send(path === '' ? 'GET' : 'POST', `/api/batches/${id}${path}`)).status).toBe(403)
    await advance()
    const targets = await db.select().from(batchTargets).where(eq(batchTargets.batch_id, id))
    expect(targets.map(({ state, error_code }) => [state, error_code])).toEqual([
      ['skipped', 'batch_not_permitted'],
      ['skipped', 'batch_not_permitted'],
    ])
    expect(await rows()).toEqual(before)
    expect(await db.select().from(deployments).where(inArray(deployments.web_id, ids))).toEqual([])
    const inspected = await db
      .select({ id: inspections.id })
      .from(inspections)
      .where(inArray(inspections.web_id, ids))
      .orderBy(desc(inspections.id))
    expect(inspected).toEqual([])
  })
})
