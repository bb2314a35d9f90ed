import { readFile } from 'node:fs/promises'
import type { BrowserContext, Page } from '@playwright/test'
import { storageStateOf } from './harness/global-setup.ts'
import { administrator, monitoring } from './harness/seeded-users.ts'
import { expect, test } from './harness/test.ts'
import { customerIn, expectGrid } from './harness/web-list.ts'

test.use({ storageState: async ({ storageState: _ }, use) => use(storageStateOf(administrator)) })

// Many loads of the largest screen take their time on a busy machine.
test.describe.configure({ timeout: 240_000 })

const eventsRequest = /\/api\/events$/

async function openTabs(context: BrowserContext, count: number, path = '/hosting'): Promise<Page[]> {
  const tabs: Page[] = []
  for (let index = 0; index < count; index++) {
    const tab = await context.newPage()
    tabs.push(tab)
    await tab.goto(path)
    await expectGrid(tab)
  }
  return tabs
}

test('twelve tabs show the web list and what changes in it, over one event stream', async ({
  context,
  testWebs,
}) => {
  const web = await testWebs.add()
  let streams = 0
  context.on('request', (request) => {
    if (eventsRequest.test(request.url())) streams++
  })
  const tabs = await openTabs(context, 12, `/hosting?q=${web.fqdn}`)
  expect(streams).toBe(1)
  await testWebs.change(web, { customer: 'TWELVE' })
  for (const tab of tabs) await expect(customerIn(tab, 'TWELVE')).toBeVisible()
})

test('the other tabs still receive changes when the one with the stream is closed', async ({
  context,
  testWebs,
}) => {
  const web = await testWebs.add()
  const [leader, ...others] = await openTabs(context, 3, `/hosting?q=${web.fqdn}`)
  // One change while no tab has the stream, and one after another tab has taken it over.
  await Promise.all([leader?.close(), testWebs.change(web, { customer: 'BETWEEN' })])
  for (const tab of others) await expect(customerIn(tab, 'BETWEEN')).toBeVisible()
  await testWebs.change(web, { customer: 'TAKENOVER' })
  for (const tab of others) await expect(customerIn(tab, 'TAKENOVER')).toBeVisible()
})

test('the other tabs still receive changes when the browser freezes the one with the stream', async ({
  context,
  testWebs,
}) => {
  const web = await testWebs.add()
  const [leader, ...others] = await openTabs(context, 2, `/hosting?q=${web.fqdn}`)
  if (leader === undefined) throw new Error('No tab was opened.')
  const devtools = await context.newCDPSession(leader)
  await devtools.send('Page.setWebLifecycleState', { state: 'frozen' })
  await testWebs.change(web, { customer: 'FROZEN' })
  for (const tab of others) await expect(customerIn(tab, 'FROZEN')).toBeVisible()
  await devtools.send('Page.setWebLifecycleState', { state: 'active' })
  await expect(customerIn(leader, 'FROZEN')).toBeVisible()
  await testWebs.change(web, { customer: 'THAWED' })
  for (const tab of [leader, ...others]) await expect(customerIn(tab, 'THAWED')).toBeVisible()
})

test('each tab has a stream of its own in a browser without the Web Locks API', async ({
  context,
  testWebs,
}) => {
  const web = await testWebs.add()
  await context.addInitScript(() =>
    Object.defineProperty(Navigator.prototype, 'locks', { get: () => undefined }),
  )
  const tabs = await openTabs(context, 2, `/hosting?q=${web.fqdn}`)
  await testWebs.change(web, { customer: 'LOCKLESS' })
  for (const tab of tabs) await expect(customerIn(tab, 'LOCKLESS')).toBeVisible()
})

test("clears the previous user's data when another user signs in in another tab", async ({
  page,
  context,
}) => {
  await page.goto('/settings')
  const sessions = page.getByRole('region', { name: 'Sessions' }).getByRole('listitem')
  await expect(sessions).not.toHaveCount(0)
  // From here on sessions can only be shown from memory.
  await page.route('**/api/sessions', () => {})
  await context.addCookies(JSON.parse(await readFile(storageStateOf(monitoring), 'utf8')).cookies)
  const other = await context.newPage()
  await other.goto('/')
  await expect(page.getByRole('textbox', { name: 'E-Mail', exact: true })).toHaveValue(monitoring.email)
  await expect(sessions).toHaveCount(0)
})
