import type { ReportingChannel } from '@kustos/contract/webs'
import {
  alerts,
  incidents,
  nodes,
  probeRounds,
  rolePermissions,
  roles,
  statistics,
  userRoles,
  users,
  webs,
} from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { eq, ne } from 'drizzle-orm'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { announce, openAlertChannels, openAlertSender } from '../../src/monitoring/alerts/index.ts'
import { evaluateRound } from '../../src/monitoring/evaluate-round.ts'
import { readConfiguration } from '../../src/platform/configuration/index.ts'
import { openAlerting } from './alert-environment.ts'
import { createNews, incidentOpened, incidentResolved, numbers } from './round-news.ts'
import { monitoredWeb, openRounds, type Seen, settings } from './rounds.ts'

const database = await testDatabase()
const { db } = database
const { addRound } = await openRounds(database)
const { tools, context, slack, telegram, mail, now, reset, listAlerts } = await openAlerting(database)

/** Adds a user with a role of their own that has these permissions. */
async function addUser(
  email: string,
  permissions: readonly string[],
  more: Partial<typeof users.$inferInsert> = {},
): Promise<void> {
  const [role] = await db.insert(roles).values({ name: email }).returning()
  const [user] = await db
    .insert(users)
    .values({ email, name: email, password_hash: '', monitoring_mail_subscription: true, ...more })
    .returning()
  if (!role || !user) throw new Error('The user was not stored')
  await db.insert(userRoles).values({ user_id: user.id, role_id: role.id })
  for (const permission of permissions)
    await db.insert(rolePermissions).values({ role_id: role.id, permission })
}

const watcher = ['view webs', 'view monitoring web statistic'] as const

beforeEach(async () => {
  reset()
  await db.delete(alerts)
  await db.delete(userRoles)
  await db.delete(users)
  await db.delete(roles).where(ne(roles.name, 'admin'))
})

const announceDown = (channels: readonly ReportingChannel[], options: Partial<typeof tools> = {}) =>
  announce(db, createNews({ opened: [incidentOpened(1, { channels })] }), {
    ...tools,
    ...options,
    now: now(),
  })

describe('an alert about a web goes to', () => {
  test('its channels, and nobody without one', async () => {
    const ids = await announceDown(['slack', 'mail', 'telegram'])
    expect(await listAlerts()).toEqual([
      'slack web1.test is down: 503',
      'telegram web1.test is down: 503',
      'mail oncall@agency.test web1.test is down: 503',
    ])
    expect(ids).toEqual((await db.select().from(alerts).orderBy(alerts.id)).map(({ id }) => id))
    expect(await announceDown([])).toEqual([])
  })

  test('no channel that is not configured', async () => {
    const { slack: configured } = tools.channels
    await addUser('watcher@agency.test', watcher)
    const channels = { slack: configured, telegram: null, mail: null }
    await announceDown(['slack', 'mail', 'telegram'], { channels })
    expect(await listAlerts()).toEqual(['slack web1.test is down: 503'])
    expect(await announceDown(['telegram', 'mail'], { channels })).toEqual([])
  })

  test('subscribed users with the permission, none of them deleted', async () => {
    await addUser('watcher@agency.test', watcher)
    await addUser('unsubscribed@agency.test', watcher, { monitoring_mail_subscription: false })
    await addUser('deleted@agency.test', watcher, { deleted_at: new Date() })
    await addUser('hosting@agency.test', ['view webs'])
    await addUser('boss@agency.test', [])
    const [[boss], [admin]] = await Promise.all([
      db.select().from(users).where(eq(users.email, 'boss@agency.test')),
      db.select().from(roles).where(eq(roles.name, 'admin')),
    ])
    if (!boss || !admin) throw new Error('There is no boss')
    await db.insert(userRoles).values({ user_id: boss.id, role_id: admin.id })
    await announceDown([])
    expect(await listAlerts()).toEqual([
      'mail watcher@agency.test web1.test is down: 503',
      'mail boss@agency.test web1.test is down: 503',
    ])

    await db.delete(alerts)
    await db.delete(rolePermissions).where(eq(rolePermissions.permission, 'view monitoring web statistic'))
    await announceDown([])
    expect(await listAlerts()).toEqual(['mail boss@agency.test web1.test is down: 503'])
  })

  test('each address once, whatever its case', async () => {
    await addUser('OnCall@Agency.test', watcher)
    await addUser('watcher@agency.test', [...watcher, 'view queue'])
    await announceDown(['mail'], {
      mailTo: ['oncall@agency.test', 'second@agency.test', 'ONCALL@agency.test'],
    })
    expect((await listAlerts()).map((row) => row.split(' ')[1]?.toLowerCase())).toEqual([
      'oncall@agency.test',
      'second@agency.test',
      'watcher@agency.test',
    ])
  })

  test('every channel of a group, one alert each', async () => {
    const opened = numbers(3).map((id) =>
      incidentOpened(id, { node: 9, channels: id === 1 ? ['slack'] : id === 2 ? ['telegram'] : [] }),
    )
    await announce(db, createNews({ opened, hosts: new Map([['9', { probed: 3, failed: 3 }]]) }), {
      ...tools,
      now: now(),
    })
    expect(await listAlerts()).toEqual(['slack node9: 3 webs are down', 'telegram node9: 3 webs are down'])
  })
})

test('sends nothing from a transaction that fails', async () => {
  const failing = db.transaction(async (tx) => {
    await announce(tx, createNews({ resolved: [incidentResolved(1)] }), { ...tools, now: now() })
    throw new Error('The evaluation failed')
  })
  await expect(failing).rejects.toThrow('The evaluation failed')
  expect(await listAlerts()).toEqual([])
})

test('writes hundreds of alerts to dozens of addresses', async () => {
  const hosts = new Map(numbers(25).map((id) => [String(id), { probed: 3, failed: 3 }]))
  const opened = numbers(75).map((id) => incidentOpened(id, { node: 1 + (id % 25), channels: ['mail'] }))
  const mailTo = numbers(100).map((id) => `staff${id}@agency.test`)
  const ids = await announce(db, createNews({ opened, hosts }), { ...tools, mailTo, now: now() })
  expect(new Set(ids).size).toBe(2_500)
})

test('writes an outage of thousands of webs to dozens of users in statements of a few megabytes', async () => {
  for (const user of numbers(40)) await addUser(`watcher${user}@agency.test`, watcher)
  const query = vi.spyOn(database.pool, 'query')
  onTestFinished(() => query.mockRestore())
  const opened = numbers(2_000).map((web) => incidentOpened(web, { channels: [] }))
  const ids = await announce(db, createNews({ opened }), { ...tools, now: now() })
  const sizes = query.mock.calls.map((call) => JSON.stringify(call).length)
  expect(Math.max(...sizes)).toBeLessThan(10_000_000)
  const written = await db.select().from(alerts).orderBy(alerts.id)
  expect(written.map(({ id }) => id)).toEqual(ids)
  expect(new Set(written.map(({ recipient }) => recipient)).size).toBe(40)
  expect(written.map(({ event }) => event?.incidents.length)).toEqual(numbers(40).map(() => 2_000))
})

test('delivers customers, names and reasons unchanged, whatever they contain', async () => {
  const one = incidentOpened(1, {
    fqdn: 'bäckerei-größer.test',
    customer: '<b>&"',
    status: null,
    reason: 'the certificate is of <script>\r\nBcc: all@agency.test\r\n\u202Egpj.exe',
    channels: ['slack', 'mail', 'telegram'],
  })
  const ids = await announce(db, createNews({ opened: [one] }), { ...tools, now: now() })
  const send = openAlertSender(tools)
  for (const id of ids) expect(await send(context, id, new AbortController().signal)).toBe('done')

  const reason = 'the certificate is of <script> Bcc: all@agency.test gpj.exe'
  const title = `bäckerei-größer.test is down: ${reason}`
  const lines = ['Customer: <b>&"', 'Node: node1', 'Since: 2026/11/20 11:00:20', `Reason: ${reason}`]
  const url = 'https://kustos.test/monitoring/incidents/1001'
  const escaped = [title, ...lines, url].map((line) =>
    line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  )
  expect(slack.posted[0]?.body.text).toBe(escaped.join('\n'))
  expect(telegram.posted[0]?.body.text).toBe([`<b>${escaped[0]}</b>`, ...escaped.slice(1)].join('\n'))
  expect(mail.mails[0]?.headers.get('subject')).toBe(title)
  expect(mail.mails[0]?.headers.has('bcc')).toBe(false)
  expect(mail.mails[0]?.text).toBe([...lines, '', url].join('\n'))
})

test('reports an incident once when it is confirmed and once when it is resolved', async () => {
  await db.delete(incidents)
  await db.delete(statistics)
  await db.delete(probeRounds)
  const [node] = await db.insert(nodes).values({ name: 'n1', plesk_fqdn: 'n1.plesk.test' }).returning()
  const rows = await db
    .insert(webs)
    .values(
      ['a.test', 'b.test', 'c.test', 'd.test'].map((fqdn) =>
        monitoredWeb(fqdn, { monitoring_web_reporting_channel: 'slack', node_id: node?.id ?? null }),
      ),
    )
    .returning()
  const [a = 0, ...others] = rows.map(({ id }) => id)
  const round = async (minute: number, seen: Seen) => {
    const at = `2026-11-20T10:${String(minute).padStart(2, '0')}:00Z`
    await addRound(at, Object.fromEntries([[a, seen], ...others.map((id) => [id, 'up'])]))
    reset(new Date(Date.parse(at) + 100_000).toISOString())
    await evaluateRound(context, tools, settings)
    return listAlerts()
  }
  expect(await round(0, 'up')).toEqual([])
  expect(await round(1, 'unconfirmed')).toEqual([])
  expect(await round(2, 'down')).toEqual(['slack a.test is down: 503'])
  expect(await round(3, 'down')).toHaveLength(1)
  expect(await round(4, 'down')).toHaveLength(1)
  expect(await round(5, 'up')).toEqual(['slack a.test is down: 503', 'slack a.test is up again after 3 min'])
  expect(await round(6, 'up')).toHaveLength(2)
})

describe('the configuration of channels', () => {
  const open = (environment: Record<string, string>) => {
    const read = readConfiguration(environment)
    if (!read.ok) throw new Error(read.sentence)
    return openAlertChannels(read.configuration, {})
  }

  test.each([
    [{ TELEGRAM_BOT_TOKEN: '1:secret' }, 'TELEGRAM_CHAT_ID is missing'],
    [{ TELEGRAM_CHAT_ID: '-100' }, 'TELEGRAM_BOT_TOKEN is missing'],
    [{ ALERT_MAIL: 'a@agency.test' }, 'SMTP_URL is missing'],
    [{ SMTP_URL: 'smtp://u:secret@host:0x1', ALERT_MAIL: 'a@agency.test' }, 'SMTP_URL must'],
    [{ SMTP_URL: 'smtp://mail.test', MAIL_FROM: 'nobody' }, 'MAIL_FROM must'],
  ])('refuses to start with %o and says why', (environment, sentence) => {
    expect(() => open(environment)).toThrow(sentence)
    expect(() => open(environment)).not.toThrow('secret')
  })

  test('opens the configured ones', async () => {
    const none = open({})
    expect(none).toMatchObject({ channels: { slack: null, telegram: null, mail: null }, publicUrl: null })
    const all = open({
      SLACK_WEBHOOK_URL: 'https://hooks.slack.test/x',
      TELEGRAM_BOT_TOKEN: '1:secret',
      TELEGRAM_CHAT_ID: '@agency',
      SMTP_URL: 'smtps://mail.agency.test',
      ALERT_MAIL: 'a@agency.test,b@agency.test',
      PUBLIC_URL: 'https://kustos.agency.test',
    })
    expect(Object.values(all.channels)).not.toContain(null)
    expect(all.mailTo).toEqual(['a@agency.test', 'b@agency.test'])
    await Promise.all([none.close(), all.close()])
  })
})
