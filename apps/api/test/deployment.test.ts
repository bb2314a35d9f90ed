import {
  deploymentLines,
  deploymentSteps,
  deployments,
  logEntries,
  nodes,
  repositories,
  repositorySyncs,
  webs,
} from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { and, desc, eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { createUser, every, listen, signedIn } from './visitor.ts'

const database = await testDatabase()
const { db } = database
const origin = await listen(database)

const [cloud] = await db
  .insert(nodes)
  .values({ name: 'n1', plesk_fqdn: 'n1.plesk.test', address: '192.0.2.1', cloud_enabled: true })
  .returning()
const [other] = await db
  .insert(nodes)
  .values({ name: 'n9', plesk_fqdn: 'n9.plesk.test', cloud_enabled: false })
  .returning()
if (!cloud || !other) throw new Error('The nodes were not kept')

const at = new Date('2026-11-20T10:00:00Z')
const repository = (name: string, project = 'TP') => ({
  name,
  project_key: project,
  project_name: project,
  description: '',
  html_url: `https://bitbucket.test/agency/${name}`,
  clone_url: `https://bitbucket.test/agency/${name}.git`,
  created_on: at,
  updated_on: at,
})

let made = 0
async function makeWeb(nodeId: number | null = cloud?.id ?? null): Promise<number> {
  made += 1
  const fqdn = `web${made}.test`
  const [web] = await db
    .insert(webs)
    .values({ fqdn, fqdn_ascii: fqdn, customer: 'ALPEN', configured_ip: '192.0.2.1', node_id: nodeId })
    .returning()
  if (!web) throw new Error('The web was not kept')
  return web.id
}

await createUser(database, 'all@kustos.test', every)
await createUser(database, 'edit@kustos.test', ['edit webs', 'view queue'])
await createUser(database, 'create@kustos.test', ['create webs', 'view bitbucket'])
await createUser(database, 'nothing@kustos.test', [])
const all = await signedIn(origin, 'all@kustos.test')
const editor = await signedIn(origin, 'edit@kustos.test')
const creator = await signedIn(origin, 'create@kustos.test')

const idIn = (answer: Response) => Number(answer.headers.get('location')?.split('/').at(-1))
const ask = (action: string, body: unknown, who = all) => who.send('POST', `/api/deployment/${action}`, body)
const errorOf = async (answer: Response) => ((await answer.json()) as { error?: string }).error

const newWeb = {
  sourceRepo: 'web134-kickstarter-base',
  bnName: 'bn1234',
  futureDomain: 'alpenhof.test',
  customer: 'ALPEN',
}

describe('an action', () => {
  test('is accepted with its row, its steps, its log entry and its job', async () => {
    const web = await makeWeb()
    const answer = await ask('backupWeb', { id: web })
    expect(answer.status).toBe(204)
    expect(answer.headers.get('location')).toMatch(/^\/api\/deployments\/\d+$/)
    const id = idIn(answer)
    expect(await db.select().from(deployments).where(eq(deployments.id, id))).toMatchObject([
      { kind: 'backupWeb', state: 'waiting', web_id: web, node_id: cloud.id, attempts: 1 },
    ])
    const steps = await db.select().from(deploymentSteps).where(eq(deploymentSteps.deployment_id, id))
    expect(steps.length).toBeGreaterThan(1)
    expect(steps.every((step) => step.state === 'pending')).toBe(true)
    const [entry] = await db.select().from(logEntries).orderBy(desc(logEntries.id)).limit(1)
    expect(entry).toMatchObject({
      log_name: 'deployment',
      description: 'backupWeb requested',
      subject_type: 'web',
      subject_id: web,
    })
    const jobs = (await (await all.fetch('/api/queue')).json()) as { deployment_id: number }[]
    expect(jobs.find((job) => job.deployment_id === id)).toMatchObject({
      queue: 'deployment',
      displayName: expect.stringMatching(/^backupWeb · web\d+\.test$/),
      state: 'waiting',
      attempts: 1,
    })
  })

  test('is refused while its like is under way; another one is not', async () => {
    const web = await makeWeb()
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask('updateWeb', { id: web })))
    const statuses = answers.map((answer) => answer.status)
    expect(statuses.filter((status) => status === 204)).toHaveLength(1)
    expect(statuses.filter((status) => status === 409)).toHaveLength(9)
    const refused = answers.find((answer) => answer.status === 409)
    expect(refused && (await errorOf(refused))).toBe(
      'This action is already waiting or running for this web.',
    )
    expect((await ask('exportDatabase', { id: web })).status).toBe(204)
  })

  test('is refused on a node that is not cloud-enabled, and on none', async () => {
    for (const node of [other.id, null]) {
      const answer = await ask('backupWeb', { id: await makeWeb(node) })
      expect(answer.status).toBe(409)
      expect(await errorOf(answer)).toBe('This action can not be executed on this server.')
    }
  })

  test('wants a living web', async () => {
    const web = await makeWeb()
    await db.update(webs).set({ deleted_at: at }).where(eq(webs.id, web))
    expect((await ask('backupWeb', { id: web })).status).toBe(404)
    expect((await ask('backupWeb', { id: 999_999 })).status).toBe(404)
  })

  test.each([
    {},
    { id: '1' },
    { id: 0 },
    { id: -1 },
    { id: 1.5 },
    { id: null },
    { id: [1] },
    { id: 2 ** 40 },
  ])('refuses the body %j', async (body) => {
    expect((await ask('backupWeb', body)).status).toBe(422)
  })

  test('leaves the backup before an import out where it is asked to', async () => {
    const answer = await ask('importDatabase', { id: await makeWeb(), backup: false })
    const steps = await db
      .select()
      .from(deploymentSteps)
      .where(eq(deploymentSteps.deployment_id, idIn(answer)))
    expect(steps.map((step) => step.state)).toContain('skipped')
  })
})

describe('a request for a new web', () => {
  test('is 502 as long as the repositories were never known', async () => {
    const answer = await ask('newWeb', newWeb)
    expect(answer.status).toBe(502)
    expect(await errorOf(answer)).toContain('Bitbucket')
  })

  test('of 20 equal ones at once one is accepted', async () => {
    await db
      .insert(repositories)
      .values([
        repository('web134-kickstarter-base'),
        repository('web134-bestehend.test'),
        repository('schnuppertag-kickstarter'),
        repository('intranet', 'INT'),
      ])
    await db.insert(repositorySyncs).values({ succeeded_at: at })
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask('newWeb', newWeb)))
    expect(answers.filter((answer) => answer.status === 204)).toHaveLength(1)
    expect(answers.filter((answer) => answer.status === 409)).toHaveLength(19)
    const rows = await db.select().from(deployments).where(eq(deployments.kind, 'newWeb'))
    expect(rows).toMatchObject([{ repository: 'web134-alpenhof.test', fqdn: 'alpenhof.test', web_id: null }])
  })

  const wrong: [string, Partial<typeof newWeb>, keyof typeof newWeb][] = [
    ['a TP number without digits', { bnName: 'bn' }, 'bnName'],
    ['a TP number with a shell in it', { bnName: 'bn1;rm -rf' }, 'bnName'],
    ['a TP number with a newline', { bnName: 'bn1\nx' }, 'bnName'],
    ['a domain with www', { futureDomain: 'www.neu.test' }, 'futureDomain'],
    ['a domain that is none', { futureDomain: '$(id)' }, 'futureDomain'],
    ['a domain that climbs', { futureDomain: '../../etc' }, 'futureDomain'],
    ['a domain that starts with -', { futureDomain: '-rf.test' }, 'futureDomain'],
    ['a domain whose repository exists', { futureDomain: 'bestehend.test' }, 'futureDomain'],
    ['a domain whose web exists', { futureDomain: 'web1.test' }, 'futureDomain'],
    ['a customer in lower case', { customer: 'alpen' }, 'customer'],
    ['a customer with 5 digits', { customer: '12345' }, 'customer'],
    ['an unknown source', { sourceRepo: 'web134-nirgends' }, 'sourceRepo'],
    ['a source that is not forkable', { sourceRepo: 'intranet' }, 'sourceRepo'],
    ['the template without a trial-day name', { sourceRepo: 'schnuppertag-kickstarter' }, 'sourceRepo'],
    ['a source that climbs', { sourceRepo: '../intranet' }, 'sourceRepo'],
    [
      'a trial-day name from another source',
      { bnName: 'schnuppertag-gipfel', futureDomain: 'schnuppertag-gipfel' },
      'sourceRepo',
    ],
    ['two trial-day names', { bnName: 'schnuppertag-a', futureDomain: 'schnuppertag-b' }, 'futureDomain'],
    [
      'a trial-day name in capitals',
      { bnName: 'schnuppertag-Gipfel', futureDomain: 'schnuppertag-Gipfel' },
      'bnName',
    ],
  ]
  test.each(wrong)('refuses %s', async (_, change, field) => {
    const before = await db.$count(deployments)
    const answer = await ask('newWeb', { ...newWeb, futureDomain: 'ganzneu.test', ...change })
    expect(answer.status).toBe(422)
    const { errors } = (await answer.json()) as { errors: Record<string, string[]> }
    expect(Object.keys(errors)).toContain(field)
    expect(await db.$count(deployments)).toBe(before)
  })

  test('for a domain is one, whatever it is forked from', async () => {
    await db
      .insert(repositories)
      .values([repository('web124-kickstarter-base'), repository('web134-alt.test')])
    await db
      .update(repositories)
      .set({ fork_policy: 'no_forks' })
      .where(eq(repositories.name, 'web134-alt.test'))
    const asked = { ...newWeb, futureDomain: 'einmalig.test' }
    expect((await ask('newWeb', asked)).status).toBe(204)
    expect((await ask('newWeb', { ...asked, sourceRepo: 'web124-kickstarter-base' })).status).toBe(409)
    const locked = await ask('newWeb', { ...asked, sourceRepo: 'web134-alt.test', futureDomain: 'x.test' })
    expect(locked.status).toBe(422)
  })

  test('wants a name that Bitbucket takes, and a system user of its own', async () => {
    for (const futureDomain of ['café.test', `${'a'.repeat(60)}.test`]) {
      expect((await ask('newWeb', { ...newWeb, futureDomain })).status, futureDomain).toBe(422)
    }
    await db
      .update(webs)
      .set({ sysuser: 'bn77' })
      .where(eq(webs.id, await makeWeb()))
    const answer = await ask('newWeb', { ...newWeb, bnName: 'bn77', futureDomain: 'zweiter.test' })
    expect(answer.status).toBe(422)
    expect(await answer.json()).toMatchObject({ errors: { bnName: [expect.stringContaining('bn77-2')] } })
  })

  test('for a trial day takes the operator as customer and a name below the node', async () => {
    const trial = {
      sourceRepo: 'schnuppertag-kickstarter',
      bnName: 'schnuppertag-müsli',
      futureDomain: 'schnuppertag-müsli',
      customer: 'AGENTUR',
    }
    expect((await ask('newWeb', { ...trial, customer: 'ALPEN' })).status).toBe(422)
    const answer = await ask('newWeb', trial)
    expect(answer.status).toBe(204)
    const [row] = await db
      .select()
      .from(deployments)
      .where(eq(deployments.id, idIn(answer)))
    expect(row).toMatchObject({
      repository: 'schnuppertag-muesli',
      fqdn: 'schnuppertag-muesli.n1.plesk.test',
    })
  })

  test('of a fork goes to the node of its source', async () => {
    await db
      .update(webs)
      .set({ repository: 'web134-bestehend.test' })
      .where(eq(webs.id, await makeWeb()))
    const options = await all.fetch('/api/deployment/options?source=web134-bestehend.test')
    expect(await options.json()).toEqual({
      trial_day: { template: 'schnuppertag-kickstarter', customer: 'AGENTUR' },
      node: 'n1',
    })
    const answer = await ask('newWeb', {
      ...newWeb,
      sourceRepo: 'web134-bestehend.test',
      futureDomain: 'gabel.test',
    })
    const [row] = await db
      .select()
      .from(deployments)
      .where(eq(deployments.id, idIn(answer)))
    expect(row).toMatchObject({ repository: 'web134-gabel.test', node_id: cloud.id })
  })
})

describe('a deployment', () => {
  test('tells its state, its steps and its lines', async () => {
    const web = await makeWeb()
    const id = idIn(await ask('backupWeb', { id: web }, editor))
    const read = await (await editor.fetch(`/api/deployments/${id}`)).json()
    expect(read).toMatchObject({
      id,
      kind: 'backupWeb',
      state: 'waiting',
      node: 'n1',
      requested_by: { email: 'edit@kustos.test' },
      place: expect.any(Number),
      last_line: 0,
      cancel_requested: false,
    })
    await db.insert(deploymentLines).values(
      [1, 2, 3].map((number) => ({
        deployment_id: id,
        number,
        step: 0,
        at,
        source: 'out',
        text: `line ${number}`,
      })),
    )
    const lines = (await (await editor.fetch(`/api/deployments/${id}/lines?after=1`)).json()) as {
      data: { number: number }[]
    }
    expect(lines.data.map((line) => line.number)).toEqual([2, 3])
    const list = (await (await editor.fetch(`/api/deployments?web=${web}`)).json()) as {
      data: { id: number }[]
    }
    expect(list.data.map((row) => row.id)).toEqual([id])
    for (const path of ['999999', '999999/lines', 'x', '0']) {
      expect((await editor.fetch(`/api/deployments/${path}`)).status).toBe(404)
    }
    for (const query of ['web=x', 'before=0', 'web=1&web=2']) {
      expect((await editor.fetch(`/api/deployments?${query}`)).status).toBe(422)
    }
    expect((await editor.fetch(`/api/deployments/${id}/lines?after=-1`)).status).toBe(422)
  })

  test('that waits is cancelled at once, and can be retried', async () => {
    const id = idIn(await ask('backupWeb', { id: await makeWeb() }))
    expect((await all.send('POST', `/api/deployments/${id}/retry`)).status).toBe(409)
    expect((await all.send('POST', `/api/deployments/${id}/cancel`)).status).toBe(204)
    expect(await (await all.fetch(`/api/deployments/${id}`)).json()).toMatchObject({ state: 'cancelled' })
    expect((await all.send('POST', `/api/deployments/${id}/cancel`)).status).toBe(409)
    expect((await all.send('POST', `/api/deployments/${id}/retry`)).status).toBe(204)
    expect(await (await all.fetch(`/api/deployments/${id}`)).json()).toMatchObject({
      state: 'waiting',
      attempts: 2,
    })
    const entries = await db
      .select()
      .from(logEntries)
      .where(and(eq(logEntries.log_name, 'deployment'), eq(logEntries.subject_type, 'web')))
      .orderBy(desc(logEntries.id))
      .limit(2)
    expect(entries.map((entry) => entry.description)).toEqual(['backupWeb retried', 'backupWeb cancelled'])
  })

  test('that runs is asked to end', async () => {
    const id = idIn(await ask('backupWeb', { id: await makeWeb() }))
    await db
      .update(deployments)
      .set({ state: 'running', holder: 'x', held_until: at })
      .where(eq(deployments.id, id))
    expect((await all.send('POST', `/api/deployments/${id}/cancel`)).status).toBe(204)
    expect(await (await all.fetch(`/api/deployments/${id}`)).json()).toMatchObject({
      state: 'running',
      cancel_requested: true,
    })
  })

  test('is cancelled and retried by those who may ask for its kind', async () => {
    const id = idIn(await ask('backupWeb', { id: await makeWeb() }))
    const path = `/api/deployments/${id}`
    expect((await creator.send('POST', `${path}/cancel`)).status).toBe(403)
    expect((await editor.send('POST', `${path}/cancel`)).status).toBe(204)
    expect((await creator.send('POST', `${path}/retry`)).status).toBe(403)
    const request = idIn(await ask('newWeb', { ...newWeb, futureDomain: 'nur-neu.test' }))
    expect((await editor.send('POST', `/api/deployments/${request}/cancel`)).status).toBe(403)
    expect((await creator.send('POST', `/api/deployments/${request}/cancel`)).status).toBe(204)
  })

  test('is not retried for a web that is gone or is called otherwise meanwhile', async () => {
    const web = await makeWeb()
    const id = idIn(await ask('importDatabase', { id: web }))
    await all.send('POST', `/api/deployments/${id}/cancel`)
    await db
      .update(webs)
      .set({ fqdn: 'umbenannt.test', fqdn_ascii: 'umbenannt.test' })
      .where(eq(webs.id, web))
    const renamed = await all.send('POST', `/api/deployments/${id}/retry`)
    expect(renamed.status).toBe(409)
    expect(await errorOf(renamed)).toMatch(/is called umbenannt\.test meanwhile/)
    await db.update(webs).set({ deleted_at: at }).where(eq(webs.id, web))
    const deleted = await all.send('POST', `/api/deployments/${id}/retry`)
    expect(deleted.status).toBe(409)
    expect(await errorOf(deleted)).toMatch(/has been deleted meanwhile/)
  })

  test('is not retried beside its like', async () => {
    const web = await makeWeb()
    const id = idIn(await ask('backupWeb', { id: web }))
    await all.send('POST', `/api/deployments/${id}/cancel`)
    expect((await ask('backupWeb', { id: web })).status).toBe(204)
    const answer = await all.send('POST', `/api/deployments/${id}/retry`)
    expect(answer.status).toBe(409)
    expect(await errorOf(answer)).toBe('This action is already waiting or running for this web.')
  })
})

describe('events', () => {
  async function eventsOf(visitor: typeof all, during: () => Promise<unknown>): Promise<string> {
    const ending = new AbortController()
    const answer = await visitor.fetch('/api/events', { signal: ending.signal })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toContain('text/event-stream')
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'self'")
    let text = ''
    const reading = (async () => {
      const decoder = new TextDecoder()
      for await (const chunk of answer.body ?? []) text += decoder.decode(chunk, { stream: true })
    })().catch(() => undefined)
    await during()
    await new Promise((resolve) => setTimeout(resolve, 300))
    ending.abort()
    await reading
    return text
  }

  test('tell of a new deployment, to those who may see the queue', async () => {
    const web = await makeWeb()
    let id = 0
    const heard = await eventsOf(editor, async () => {
      id = idIn(await ask('backupWeb', { id: web }))
    })
    expect(heard).toContain(`event: changed\ndata: {"list":"deployments","id":${id}}`)
    const nothing = await signedIn(origin, 'nothing@kustos.test')
    expect(await eventsOf(nothing, () => ask('updateWeb', { id: web }))).not.toContain('changed')
  })

  test('want a session', async () => {
    expect((await fetch(`${origin}/api/events`)).status).toBe(401)
  })
})
