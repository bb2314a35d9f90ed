import { nothingFound } from '@kustos/contract/webs'
import {
  externalDomains,
  logEntries,
  trackingViolations,
  userRoles,
  users,
  viewSubscriptions,
  views,
  webs,
  webThirdParties,
} from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { desc, eq, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { viewSubscriptionTests } from './view-subscriptions.ts'

const database = await testDatabase()
const { db } = database
const tests = await viewSubscriptionTests(database)
const { insertWeb, evaluate, createView, follow, notices, mailsTo } = tests
const anna = await tests.staff('anna', ['view webs', 'restore webs'])
const ben = await tests.staff('ben', ['view webs'])
const dora = await tests.staff('dora', ['view external domains'])
const emil = await tests.staff('emil', ['view external domains'])

beforeEach(async () => {
  await database.owner.db.execute(sql`truncate views, webs, alerts, attention_handling cascade`)
  tests.setTime('2026-11-20T10:00:00Z')
})

const acknowledge = (entry: { id: string } | undefined) =>
  anna.client.send('PUT', `/api/attention/${entry?.id}/acknowledge`, {})

describe('a followed view', () => {
  it('tells of rows that enter it, and not of those that were in it', async () => {
    await insertWeb()
    const view = await createView(anna.client, { name: 'Alps' })
    expect((await follow(anna.client, view)).status).toBe(204)
    expect(await evaluate()).toEqual({ checked: 1, entries: 0, failed: 0 })
    expect(await notices(anna.client)).toEqual([])
    const names = [(await insertWeb()).fqdn, (await insertWeb()).fqdn]
    await insertWeb({ customer: 'BERG' })
    expect(await evaluate()).toEqual({ checked: 1, entries: 2, failed: 0 })
    expect(await notices(anna.client)).toMatchObject([
      {
        subject: 'Alps',
        since: expect.stringMatching(/^2026-11-20T10:02:00/),
        view: { id: view.id, list: 'webs', entered: 2, names },
      },
    ])
    expect(await evaluate()).toEqual({ checked: 1, entries: 0, failed: 0 })
    expect(await notices(ben.client)).toEqual([])
    expect(await mailsTo(anna.email)).toEqual([])
  })

  it('counts new rows together until the user acknowledges them', async () => {
    const view = await createView(anna.client)
    await follow(anna.client, view)
    await evaluate()
    await insertWeb()
    await evaluate()
    const [first] = await notices(anna.client)
    await insertWeb()
    await evaluate()
    const [second] = await notices(anna.client)
    expect(second).toMatchObject({ view: { entered: 2 } })
    expect((await acknowledge(first)).status).toBe(409)
    expect((await acknowledge(second)).status).toBe(204)
    expect(await notices(anna.client)).toEqual([])
    expect(await notices(anna.client, '&state=acknowledged')).toHaveLength(1)
    const { fqdn } = await insertWeb()
    await evaluate()
    expect(await notices(anna.client)).toMatchObject([{ view: { entered: 1, names: [fqdn] } }])
  })

  it('tells again of a row that has left and enters again', async () => {
    const { id, fqdn } = await insertWeb()
    const view = await createView(anna.client)
    await follow(anna.client, view)
    await evaluate()
    const setCustomer = (customer: string) => db.update(webs).set({ customer }).where(eq(webs.id, id))
    await setCustomer('BERG')
    await evaluate()
    expect(await notices(anna.client)).toEqual([])
    await setCustomer('ALPEN')
    await evaluate()
    expect(await notices(anna.client)).toMatchObject([{ view: { entered: 1, names: [fqdn] } }])
  })

  it('tells of webs that begin to track visitors before consent, if these are all that it shows', async () => {
    const { id, fqdn } = await insertWeb()
    const view = await createView(anna.client, { list: 'tracking', query: 'before_consent=1' })
    await follow(anna.client, view)
    await evaluate()
    await insertWeb()
    expect(await evaluate()).toMatchObject({ entries: 0 })
    await db.insert(trackingViolations).values({ web_id: id, since: new Date(), services: ['gtm'] })
    expect(await evaluate()).toMatchObject({ entries: 1 })
    expect(await notices(anna.client)).toMatchObject([{ view: { entered: 1, names: [fqdn] } }])
  })

  it('finds webs by services that were seen only after a refusal, as the list shows them', async () => {
    const service = encodeURIComponent('Google Analytics (after refusal or withdrawal)')
    const view = await createView(anna.client, {
      list: 'tracking',
      query: `f.before_consent=any-of:${service}`,
    })
    const filled = await createView(anna.client, { list: 'tracking', query: 'f.before_consent=not-empty:' })
    for (const each of [view, filled]) await follow(anna.client, each)
    await evaluate()
    const { id, fqdn } = await insertWeb({ tracking_data: { ...nothingFound, before_consent: ['Matomo'] } })
    const later = await insertWeb({ tracking_data: nothingFound })
    const violation = { since: new Date(), services: ['googleanalytics', 'matomo'] }
    await db.insert(trackingViolations).values([
      { web_id: id, ...violation },
      { web_id: later.id, ...violation },
    ])
    await evaluate()
    expect(await notices(anna.client)).toMatchObject([
      { view: { names: [fqdn, later.fqdn] } },
      { view: { names: [fqdn, later.fqdn] } },
    ])
  })

  it('tells once of a third party that the lists of two releases put into different categories', async () => {
    const view = await createView(anna.client, { list: 'third-parties', query: '' })
    await follow(anna.client, view)
    expect(await evaluate()).toMatchObject({ checked: 1, entries: 0 })
    const [host, at] = ['cdn.widget.example', new Date()]
    for (const category of ['unknown', 'advertising']) {
      const { id } = await insertWeb({ tracking_data: { ...nothingFound, third_parties: [host] } })
      const party = { web_id: id, phase: 'before', host, entity: 'Widget', is_denied: false }
      await db.insert(webThirdParties).values({ ...party, category, first_seen: at, last_seen: at })
    }
    expect(await evaluate()).toMatchObject({ checked: 1, entries: 1 })
    expect(await notices(anna.client)).toMatchObject([{ view: { entered: 1, names: [host] } }])
  })

  it('begins anew when its filter changes, and not when its columns do', async () => {
    const view = await createView(anna.client)
    await follow(anna.client, view)
    await evaluate()
    await insertWeb()
    await evaluate()
    const change = async (query: string, column_order: string[]) => {
      const { name, audience, column_widths } = view
      const body = { name, audience, column_widths, role_id: null, query, column_order }
      expect((await anna.client.send('PUT', `/api/views/${view.id}`, body)).status).toBe(204)
    }
    await change(`${view.query}&sort=-id&size=100`, ['id', 'fqdn'])
    await evaluate()
    expect(await notices(anna.client)).toHaveLength(1)
    await insertWeb({ customer: 'BERG' })
    await change('f.customer=equals:BERG', [])
    await evaluate()
    expect(await notices(anna.client)).toEqual([])
    const { fqdn } = await insertWeb({ customer: 'BERG' })
    await evaluate()
    expect(await notices(anna.client)).toMatchObject([{ view: { names: [fqdn] } }])
  })

  it('goes on when a tag is renamed, or merged into another, that it filters by', async () => {
    const admin = await tests.staff('gina', 'admin')
    const tag = async (name: string) =>
      (await (await admin.client.send('POST', '/api/tags', { name })).json()) as { id: number }
    const hotel = await tag('hotel')
    await tag('inn')
    const view = await createView(anna.client, { query: 'f.tags=any-of:hotel' })
    await follow(anna.client, view)
    await evaluate()
    const names = [(await insertWeb({ tags: ['hotel'] })).fqdn]
    await evaluate()
    expect((await admin.client.send('PUT', `/api/tags/${hotel.id}`, { name: 'lodge' })).status).toBe(204)
    expect(await evaluate()).toMatchObject({ entries: 0 })
    expect(await notices(anna.client)).toMatchObject([{ view: { entered: 1, names } }])
    names.unshift((await insertWeb({ tags: ['inn'] })).fqdn)
    const merged = await admin.client.send('POST', `/api/tags/${hotel.id}/merge`, { into: 'inn' })
    expect(merged.status).toBe(204)
    expect(await evaluate()).toMatchObject({ entries: 1 })
    expect(await notices(anna.client)).toMatchObject([{ view: { entered: 2, names } }])
  })

  it('does not tell a new follower of rows that others already know', async () => {
    const view = await createView(anna.client, { audience: 'everyone' })
    await follow(anna.client, view)
    await evaluate()
    await insertWeb()
    await follow(ben.client, view)
    expect(await evaluate()).toMatchObject({ checked: 1, entries: 1 })
    expect(await notices(anna.client)).toHaveLength(1)
    expect(await notices(ben.client)).toEqual([])
    await insertWeb()
    await evaluate()
    expect(await notices(ben.client)).toMatchObject([{ view: { entered: 1 } }])
  })

  it('lets searches find labels in the language of each follower', async () => {
    const view = await createView(anna.client, { query: 'q=aktiv', audience: 'everyone' })
    const path = `/api/views/${view.id}/notifications`
    await anna.client.send('PUT', path, { delivery: 'console', language: 'de' })
    await ben.client.send('PUT', path, { delivery: 'console', language: 'en' })
    expect(await evaluate()).toMatchObject({ checked: 2 })
    const { fqdn } = await insertWeb()
    await evaluate()
    expect(await notices(anna.client)).toMatchObject([{ view: { names: [fqdn] } }])
    expect(await notices(ben.client)).toEqual([])
    expect((await ben.client.send('PUT', path, { delivery: 'console', language: 'de' })).status).toBe(204)
    const subscriptions = await db.select().from(viewSubscriptions)
    expect(subscriptions.map(({ language }) => language)).toEqual(['de', 'de'])
    const [logged] = await db.select().from(logEntries).orderBy(desc(logEntries.id)).limit(1)
    expect(logged?.properties).toEqual({
      old: { notifications: 'console', language: 'en' },
      attributes: { notifications: 'console', language: 'de' },
    })
  })

  it('filters sentences in the language of each follower, as the list shows them', async () => {
    const query = `f.check_error=contains:${encodeURIComponent('Kein Nameserver')}`
    const view = await createView(dora.client, { list: 'external-domains', query, audience: 'everyone' })
    const path = `/api/views/${view.id}/notifications`
    await dora.client.send('PUT', path, { delivery: 'console', language: 'de' })
    await emil.client.send('PUT', path, { delivery: 'console', language: 'en' })
    expect(await evaluate()).toMatchObject({ checked: 2 })
    const fqdn = 'stille.test'
    await db.insert(externalDomains).values({
      fqdn,
      fqdn_ascii: fqdn,
      customer: 'ALPEN',
      domainprovider: 'Tirolnet',
      check_error: 'No name server responded in time.',
      check_error_code: 'dns_timeout',
    })
    await evaluate()
    expect(await notices(dora.client)).toMatchObject([{ view: { names: [fqdn] } }])
    expect(await notices(emil.client)).toEqual([])
  })

  it('tells of each row once, even if two workers evaluate it at the same time', async () => {
    const view = await createView(anna.client)
    await follow(anna.client, view, 'immediate')
    await Promise.all([evaluate(), evaluate()])
    await insertWeb()
    await Promise.all([evaluate(), evaluate()])
    expect(await notices(anna.client)).toMatchObject([{ view: { entered: 1 } }])
    expect(await mailsTo(anna.email)).toHaveLength(1)
  })

  it('goes with the view, and no longer with a deleted user', async () => {
    const view = await createView(anna.client, { audience: 'everyone' })
    await follow(anna.client, view, 'immediate')
    await follow(ben.client, view, 'immediate')
    await evaluate()
    await db.update(users).set({ deleted_at: new Date() }).where(eq(users.id, ben.id))
    await insertWeb()
    await evaluate()
    await db.update(users).set({ deleted_at: null }).where(eq(users.id, ben.id))
    expect([(await mailsTo(anna.email)).length, await mailsTo(ben.email)]).toEqual([1, []])
    expect((await anna.client.send('DELETE', `/api/views/${view.id}`)).status).toBe(204)
    expect(await notices(anna.client)).toEqual([])
    const { rows } = await db.execute(sql`
      select id from view_subscriptions union all select id from view_evaluations
      union all select evaluation_id from view_rows`)
    expect(rows).toEqual([])
  })

  it('is no longer evaluated once nobody follows it', async () => {
    const view = await createView(anna.client)
    await follow(anna.client, view)
    await evaluate()
    await follow(anna.client, view, 'off')
    expect(await evaluate()).toBeNull()
    expect((await db.execute(sql`select from view_evaluations`)).rows).toEqual([])
  })
})

describe('mails', () => {
  it('are sent at once, if the user wants them', async () => {
    const view = await createView(anna.client, { name: 'Alps' })
    await follow(anna.client, view, 'immediate')
    await evaluate()
    const { fqdn } = await insertWeb()
    await evaluate()
    await evaluate()
    const url = `https://kustos.test/hosting?view=${view.id}`
    expect(await mailsTo(anna.email)).toEqual([{ title: '1 web entered “Alps”', lines: [fqdn], url }])
  })

  it('are sent once a day at seven, one for all views', async () => {
    const alps = await createView(anna.client, { name: 'Alps' })
    const all = await createView(anna.client, { name: 'Webs', query: '' })
    for (const view of [alps, all]) await follow(anna.client, view, 'daily')
    await evaluate()
    const { fqdn } = await insertWeb()
    await evaluate()
    expect(await mailsTo(anna.email)).toEqual([])
    tests.setTime('2026-11-21T05:58:00Z')
    await evaluate()
    expect(await mailsTo(anna.email)).toEqual([])
    await evaluate()
    await evaluate()
    const lines = [`1 web entered “Alps”: ${fqdn}`, `1 web entered “Webs”: ${fqdn}`]
    const url = 'https://kustos.test/'
    expect(await mailsTo(anna.email)).toEqual([{ title: 'Your views: 2 new since yesterday', lines, url }])
    await insertWeb()
    await evaluate()
    expect(await mailsTo(anna.email)).toHaveLength(1)
    tests.setTime('2026-11-22T05:59:00Z')
    await evaluate()
    expect(await mailsTo(anna.email)).toHaveLength(2)
  })
})

describe('permissions', () => {
  it('are those of the follower at each evaluation', async () => {
    const view = await createView(anna.client, { audience: 'everyone' })
    await follow(ben.client, view, 'immediate')
    await evaluate()
    await insertWeb()
    await evaluate()
    const held = await db.delete(userRoles).where(eq(userRoles.user_id, ben.id)).returning()
    await insertWeb()
    expect(await evaluate()).toBeNull()
    await db.insert(userRoles).values(held)
    expect(await notices(ben.client)).toEqual([])
    await evaluate()
    expect(await notices(ben.client)).toEqual([])
    await insertWeb()
    await evaluate()
    expect(await notices(ben.client)).toMatchObject([{ view: { entered: 1 } }])
    expect(await mailsTo(ben.email)).toHaveLength(2)
  })

  it('hide notices at once, and refuse to handle them', async () => {
    const view = await createView(anna.client, { audience: 'everyone' })
    await follow(ben.client, view)
    await evaluate()
    await insertWeb()
    await evaluate()
    const [entry] = await notices(ben.client)
    expect((await acknowledge(entry)).status).toBe(409)
    await db.update(views).set({ audience: 'private' }).where(eq(views.id, view.id))
    expect(await notices(ben.client)).toEqual([])
    const { status } = await ben.client.send('PUT', `/api/attention/${entry?.id}/acknowledge`, {})
    expect(status).toBe(409)
  })

  it('keep deleted webs from those who may not restore them', async () => {
    const view = await createView(anna.client, { query: 'deleted=1', audience: 'everyone' })
    expect((await follow(anna.client, view)).status).toBe(204)
    expect((await follow(ben.client, view)).status).toBe(403)
    await db
      .insert(viewSubscriptions)
      .values({ user_id: ben.id, view_id: view.id, delivery: 'immediate', language: 'en' })
    await insertWeb()
    await evaluate()
    const { fqdn } = await insertWeb({ deleted_at: new Date() })
    await evaluate()
    expect(await notices(anna.client)).toMatchObject([{ view: { names: [fqdn] } }])
    expect([await notices(ben.client), await mailsTo(ben.email)]).toEqual([[], []])
  })
})

describe('following a view', () => {
  it('is refused where the server cannot evaluate the list or its search', async () => {
    const events = await tests.staff('events', ['view monitoring web statistic', 'view queue'])
    for (const [list, query, status] of [
      ['queue', '', 422],
      ['events', '', 422],
      ['monitoring', 'q=up', 422],
      ['monitoring', '', 204],
    ] as const) {
      const view = await createView(events.client, { list, query })
      expect([list, query, (await follow(events.client, view)).status]).toEqual([list, query, status])
    }
  })

  it('pauses while the list lacks a column of its filter', async () => {
    const view = await createView(anna.client, { query: 'f.gone=equals:x' })
    await follow(anna.client, view)
    expect(await evaluate()).toBeNull()
  })

  it('is refused for views of others, and logged', async () => {
    const view = await createView(anna.client)
    expect((await follow(ben.client, view)).status).toBe(404)
    await follow(anna.client, view, 'daily')
    expect(await anna.client.json('/api/views')).toMatchObject([{ notifications: 'daily' }])
    const [entry] = await db.select().from(logEntries).orderBy(desc(logEntries.id)).limit(1)
    expect(entry).toMatchObject({
      description: 'preference changed',
      subject_id: view.id,
      properties: { old: { notifications: 'off' }, attributes: { notifications: 'daily' } },
    })
  })

  it('cannot be handed to somebody else', async () => {
    const view = await createView(anna.client)
    await follow(anna.client, view)
    await evaluate()
    await insertWeb()
    await evaluate()
    const [entry] = await notices(anna.client)
    const body = { user: anna.id }
    expect((await anna.client.send('PUT', `/api/attention/${entry?.id}/assign`, body)).status).toBe(422)
  })
})

it('goes on with other views after a filter that takes too long, and tries it again an hour later', async () => {
  await insertWeb({ comment: `${'a'.repeat(40)}!` })
  const evil = await createView(anna.client, { query: 'f.comment=regex:%5E(a%2B)%2B%24' })
  const good = await createView(anna.client)
  for (const view of [evil, good]) await follow(anna.client, view)
  expect(await evaluate()).toEqual({ checked: 2, entries: 0, failed: 1 })
  await insertWeb()
  expect(await evaluate()).toEqual({ checked: 1, entries: 1, failed: 0 })
  expect(await notices(anna.client)).toMatchObject([{ view: { id: good.id } }])
  expect(await evaluate({ minutes: 60 })).toEqual({ checked: 2, entries: 0, failed: 1 })
  const { name, audience, column_order, column_widths } = evil
  const body = { name, audience, column_order, column_widths, role_id: null, query: '' }
  await anna.client.send('PUT', `/api/views/${evil.id}`, body)
  expect(await evaluate()).toEqual({ checked: 2, entries: 0, failed: 0 })
})

it('forgets nothing of a view whose filter takes too long once', async () => {
  const insertMatching = () => insertWeb({ comment: 'aaa' })
  const view = await createView(anna.client, { name: 'Alps', query: 'f.comment=regex:%5E(a%2B)%2B%24' })
  await follow(anna.client, view, 'daily')
  await evaluate()
  const before = await insertMatching()
  expect(await evaluate()).toMatchObject({ entries: 1 })
  const slow = await insertWeb({ comment: `${'a'.repeat(40)}!` })
  expect(await evaluate()).toMatchObject({ failed: 1 })
  expect(await notices(anna.client)).toMatchObject([{ view: { names: [before.fqdn] } }])
  await db.delete(webs).where(eq(webs.id, slow.id))
  const meanwhile = await insertMatching()
  expect(await evaluate({ minutes: 60 })).toMatchObject({ entries: 1, failed: 0 })
  expect(await notices(anna.client)).toMatchObject([{ view: { entered: 2 } }])
  tests.setTime('2026-11-21T05:59:00Z')
  await evaluate()
  const lines = [`2 webs entered “Alps”: ${meanwhile.fqdn}, ${before.fqdn}`]
  expect(await mailsTo(anna.email)).toMatchObject([{ lines }])
})

it('goes on with other views after a filter that exhausts the stack', async () => {
  await insertWeb({ comment: 'Alpen' })
  const evil = await createView(anna.client, { query: 'f.comment=regex:%5E((a%3F)%7B9999%7D)%7B9999%7D%24' })
  const good = await createView(anna.client)
  for (const view of [evil, good]) await follow(anna.client, view)
  expect(await evaluate()).toEqual({ checked: 2, entries: 0, failed: 1 })
  await insertWeb()
  expect(await evaluate()).toEqual({ checked: 1, entries: 1, failed: 0 })
  expect(await notices(anna.client)).toMatchObject([{ view: { id: good.id } }])
})

it('tells of rows of other lists and sends the daily mails although a list cannot be read', async () => {
  const all = await tests.staff('all', ['view webs', 'view limitis email'])
  const mailboxes = await createView(all.client, { list: 'emails', query: '' })
  const alps = await createView(all.client)
  const good = await createView(all.client)
  for (const view of [mailboxes, alps]) await follow(all.client, view)
  await follow(all.client, good, 'daily')
  await evaluate()
  tests.setTime('2026-11-21T05:58:00Z')
  await database.owner.pool.query('alter table emails rename to emails_gone')
  try {
    await insertWeb()
    await expect(evaluate()).rejects.toThrow('emails')
    const client = await tests.signIn(all.email)
    expect(await notices(client)).toMatchObject([{ view: { entered: 1 } }, { view: { entered: 1 } }])
    await expect(evaluate()).rejects.toThrow('emails')
    expect(await mailsTo(all.email)).toHaveLength(1)
  } finally {
    await database.owner.pool.query('alter table emails_gone rename to emails')
  }
})
