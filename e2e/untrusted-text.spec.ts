import type { Browser, Page } from '@playwright/test'
import type { TrackingVisit } from '../packages/contract/src/tracking.ts'
import type { OpenDatabase } from '../packages/database/src/client.ts'
import { openConsoleDatabase } from './harness/database.ts'
import { expectNoInjection, payloads, recordSideEffects, waitUntilSettled } from './harness/injection.ts'
import { administrator, password } from './harness/seeded-users.ts'
import { expect, test, uniqueMark } from './harness/test.ts'
import { visit } from './harness/visit.ts'

type Row = Readonly<Record<string, unknown>>

test('shows texts from outside systems as text on every screen', async ({ browser, baseURL, testWebs }) => {
  const database = await openConsoleDatabase()
  const mark = uniqueMark()
  let used = 0
  const hostileText = () => `${mark} ${payloads[used++ % payloads.length]}`
  const page = await visitor(browser, baseURL ?? '', hostileText())
  const sideEffects = await recordSideEffects(page, new URL(baseURL ?? '').origin)
  const { insert, cleanUp } = writer(database)

  async function checkPage(path: string) {
    await test.step(path, async () => {
      await visit(page, path)
      await waitUntilSettled(page)
      await expect(page.locator('#root').getByText(mark).first()).toBeAttached()
      await expectNoInjection(page)
    })
  }

  try {
    await page.getByLabel('E-Mail').fill(administrator.email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Login' }).click()
    await expect(page.getByRole('button', { name: /^User menu/ })).toBeVisible()

    const { id: web, fqdn } = await testWebs.add()
    const now = new Date()
    const before = new Date(now.getTime() - 3_600_000)
    const node = await insert('nodes', { name: hostileText(), plesk_fqdn: `${mark}.test` })
    const category = await insert('categories', { name: hostileText() })
    const service = () => ({
      id: hostileText(),
      domain: hostileText(),
      timestamp: Math.floor(now.getTime() / 1000),
    })
    const hosts = JSON.stringify([{ fqdn: hostileText() }])
    await database.pool.query(
      `update webs set node_id = $2, sites = $3, aliases = $3, sysuser = $4, cert_ca = $5, framework_name = $6,
         topics = $7, repository = $8, status = 0, domain_status = 1 where id = $1`,
      [web, node, hosts, hostileText(), hostileText(), hostileText(), [hostileText()], hostileText()],
    )
    await database.pool.query('insert into web_categories (web_id, category_id) values ($1, $2)', [
      web,
      category,
    ])
    for (const fact of ['plesk', 'dns', 'certificate', 'http'])
      await database.pool.query(
        `insert into web_facts (web_id, fact, tried_at, error) values ($1, $2, $3, $4)
           on conflict (web_id, fact) do update set error = excluded.error`,
        [web, fact, now, hostileText()],
      )
    const matomo = service()
    const findings = [
      {
        topic: 'matomo',
        value: matomo.id,
        domain: matomo.domain,
        version: null,
        names: null,
        evidence: [
          { source: 'inline', url: `javascript:alert(1)//${mark}`, excerpt: hostileText(), gated: false },
        ],
      },
      {
        topic: 'usercentrics',
        value: hostileText(),
        domain: hostileText(),
        version: 3,
        names: [hostileText()],
        evidence: [{ source: 'script', url: hostileText(), excerpt: hostileText(), gated: true }],
      },
    ]
    const cookie = hostileText()
    await insert('tracking_audits', {
      web_id: web,
      audited_at: now,
      engine: 'browser',
      outcome: 'partial',
      problems: [hostileText()],
      findings: JSON.stringify(findings),
      visit: JSON.stringify(createVisit(hostileText, cookie)),
    })
    await insert('incidents', {
      web_id: web,
      started_at: before,
      ended_at: now,
      last_failed_at: now,
      watched_until: now,
      reason: hostileText(),
    })
    const deployment = await insert('deployments', {
      kind: 'backupWeb',
      state: 'failed',
      fqdn,
      web_id: web,
      error: hostileText(),
      created_at: before,
      updated_at: now,
      started_at: before,
      ended_at: now,
    })
    await database.pool.query(
      `insert into deployment_steps (deployment_id, step, name, place, state, started_at, ended_at, error)
         values ($1, 0, $2, 'builtin', 'failed', $3, $3, $4)`,
      [deployment, hostileText(), now, hostileText()],
    )
    for (const [at, text] of [...payloads, '\u001b]8;;javascript:alert(1)\u0007here'].entries())
      await database.pool.query(
        `insert into deployment_lines (deployment_id, number, step, at, source, text)
           values ($1, $2, 0, $3, 'out', $4)`,
        [deployment, at + 1, now, `${mark} ${text}`],
      )

    await checkPage('/settings')
    await checkPage(`/hosting?q=${mark}&sets=sites,node,customer,status,categories,system`)
    await checkPage(`/hosting/show/${web}`)
    await checkPage(`/hosting/tracking/${web}`)
    for (const text of [matomo.id, cookie])
      await expect(page.locator('#root').getByText(text).first()).toBeAttached()
    await checkPage(`/monitoring/webs/show/${web}/${fqdn}`)
    await checkPage(`/queue/${deployment}`)
    // Rows that a sync can replace at any time are written just before they are checked.
    const names = { customer: hostileText(), fqdn: `${mark} ${payloads[0]}`, fqdn_ascii: `${mark}.test` }
    await insert('own_domains', { ...names, status: 1, mname: hostileText(), check_error: hostileText() })
    await checkPage(`/limitis/limitisdomains?q=${mark}`)
    await insert('emails', {
      customer: hostileText(),
      address: `${mark}${payloads[0]}@a.test`,
      type: hostileText(),
    })
    await checkPage(`/limitis/emails?q=${mark}`)
    await insert('repositories', repository(mark, hostileText, now), 'name')
    await checkPage(`/hosting/bitbucket?q=${mark}`)
    expect(sideEffects).toEqual([])
  } finally {
    await cleanUp()
    await database.close()
    await page.context().close()
  }
})

/** What a hostile page has a browser record. @param cookie its name */
const createVisit = (hostileText: () => string, cookie: string): TrackingVisit => ({
  refused: { manager: hostileText(), way: 'button' },
  accepted: null,
  asked: [
    {
      phase: 'before',
      host: hostileText(),
      topic: null,
      entity: hostileText(),
      category: 'analytics',
      ids: [hostileText()],
      requests: 1,
      verdict: 'violation',
      url: 'javascript:alert(1)//',
      method: 'GET',
      kind: 'script',
      initiator: hostileText(),
    },
  ],
  stored: [
    {
      phase: 'before',
      kind: 'cookie',
      name: cookie,
      host: hostileText(),
      lifetime: 60,
      set_by: 'javascript:alert(1)//',
    },
  ],
})

/** Opens the login screen with a user agent, which the session list shows. */
async function visitor(browser: Browser, baseURL: string, userAgent: string): Promise<Page> {
  const context = await browser.newContext({ baseURL, userAgent, locale: 'en-GB' })
  const page = await context.newPage()
  await page.goto('/')
  return page
}

const repository = (mark: string, hostileText: () => string, now: Date): Row => ({
  name: `${mark}${payloads[0]}`,
  project_key: hostileText(),
  project_name: hostileText(),
  description: hostileText(),
  html_url: `https://evil.test/${payloads[0]}`,
  clone_url: `https://evil.test/${payloads[0]}`,
  created_on: now,
  updated_on: now,
})

/** Inserts rows, and deletes those that nothing else deletes. */
function writer({ pool }: OpenDatabase) {
  const undo: (() => Promise<unknown>)[] = []
  async function insert(table: string, row: Row, key = 'id'): Promise<unknown> {
    const columns = Object.keys(row)
    const places = columns.map((_, at) => `$${at + 1}`)
    const { rows } = await pool.query<Row>(
      `insert into ${table} (${columns}) values (${places}) returning ${key}`,
      Object.values(row),
    )
    const value = rows[0]?.[key]
    if (!['nodes', 'incidents', 'deployments'].includes(table))
      undo.unshift(() => pool.query(`delete from ${table} where ${key} = $1`, [value]))
    return value
  }
  async function cleanUp() {
    for (const step of undo) await step()
  }
  return { insert, cleanUp }
}
