import type { Page } from '@playwright/test'
import type { AttentionEntry } from '../packages/contract/src/attention/index.ts'
import { queryConsole } from './harness/database.ts'
import { storageStateOf } from './harness/global-setup.ts'
import { administrator } from './harness/seeded-users.ts'
import { expect, type TestWeb, type TestWebs, test } from './harness/test.ts'

test.use({ storageState: async ({ storageState: _ }, use) => use(storageStateOf(administrator)) })

const section = (page: Page) => page.getByRole('region', { name: 'Needs attention' })
const rowOf = (page: Page, { fqdn }: TestWeb) => section(page).getByRole('listitem').filter({ hasText: fqdn })
const filter = (page: Page, name: string) =>
  section(page).getByRole('link', { name: new RegExp(`^${name} `) })
const dialog = (page: Page) => page.getByRole('dialog')
const choose = async (page: Page, web: TestWeb, action: string) => {
  await rowOf(page, web)
    .getByRole('button', { name: `Actions: ${web.fqdn}` })
    .click()
  const item = page.getByRole('menuitem', { name: action, exact: true })
  // The last entry's menu reaches beyond the list.
  await expect(item).toBeInViewport({ ratio: 1 })
  await item.click()
}
const all = 'kind=framework_unsupported&rows=1000'

/** An entry as the API returns it. */
const entryOf = (kind: AttentionEntry['kind'], id: number): AttentionEntry => ({
  id: `${kind}.${id}.1`,
  kind,
  since: '2026-11-20T10:00:00.000Z',
  subject: `web${id}.test`,
  subject_id: id,
  web_id: id,
  customer: null,
  node: null,
  deployment: null,
  until: null,
  framework: null,
  services: [],
  view: null,
  reason: `reason ${id}`,
  reason_code: null,
  reason_params: null,
  node_outage: null,
  incident_id: null,
  acknowledged_at: null,
  acknowledged_by: null,
  assigned_to: null,
  snoozed_until: null,
  snoozed_by: null,
  note: null,
  updated_at: null,
})

/** An active web with a framework without support. */
async function addUnsupportedWeb(testWebs: TestWebs): Promise<TestWeb> {
  const web = await testWebs.add({ framework_name: 'TYPO3', framework_version: '8.7.32' })
  await queryConsole('update webs set status = 0 where id = $1', web.id)
  return web
}

test('an entry is assigned, acknowledged by its assignee, and gone from the list of the other user', async ({
  page,
  browser,
  testWebs,
  testUsers,
}) => {
  const web = await addUnsupportedWeb(testWebs)
  const colleague = await testUsers.add({ permissions: ['view webs'] })
  await page.goto(`/?${all}`)
  await expect(rowOf(page, web)).toContainText('TESTER · TYPO3 8.7.32, supported until 2024/03/31')
  await expect(rowOf(page, web).getByRole('link', { name: 'Show web' })).toHaveAttribute(
    'href',
    `/hosting/show/${web.id}`,
  )

  await choose(page, web, 'Assign…')
  // Also while the users are still loading.
  await expect(dialog(page).getByRole('combobox', { name: 'User' })).toBeFocused()
  await dialog(page).getByRole('combobox', { name: 'User' }).fill(colleague.name)
  await page.getByRole('option', { name: colleague.email }).click()
  await dialog(page).getByRole('textbox', { name: 'Note' }).fill('Please plan the upgrade')
  await dialog(page).getByRole('button', { name: 'Assign' }).click()
  await expect(dialog(page)).toHaveCount(0)
  await expect(rowOf(page, web)).toContainText(`Assigned to ${colleague.email}`)
  await expect(rowOf(page, web)).toContainText('Please plan the upgrade')

  const theirs = await testUsers.open(browser, colleague, '/?show=mine')
  await expect(rowOf(theirs, web)).toContainText('Please plan the upgrade')
  // They see no other kinds than those of webs.
  await expect(section(theirs).getByRole('heading', { level: 3 })).toHaveText([/^Frameworks without support/])
  await theirs.getByRole('button', { name: `Acknowledge: ${web.fqdn}` }).click()
  await expect(section(theirs).getByText('Nothing is assigned to you')).toBeVisible()

  // Live, without an action of this user.
  await expect(rowOf(page, web)).toHaveCount(0)
  await filter(page, 'Acknowledged').click()
  await expect(rowOf(page, web)).toContainText(`Acknowledged by ${colleague.email}`)
  await choose(page, web, 'Withdraw acknowledgement')
  await expect(rowOf(page, web)).toHaveCount(0)
  await filter(page, 'Open').click()
  await expect(rowOf(page, web)).toBeVisible()

  await page.goto(`/hosting/show/${web.id}`)
  await expect(page.getByText('acknowledgement withdrawn').first()).toBeVisible()
})

test('an entry is snoozed until a time, and the snooze can be ended', async ({ page, testWebs }) => {
  const web = await addUnsupportedWeb(testWebs)
  await page.goto(`/?${all}`)
  await choose(page, web, 'Snooze…')
  const until = dialog(page).getByLabel('Until')
  const suggested = await until.inputValue()
  await dialog(page).getByRole('button', { name: 'In a week' }).click()
  await expect(until).not.toHaveValue(suggested)
  await until.fill('2020-01-01T08:00')
  await dialog(page).getByRole('button', { name: 'Snooze' }).click()
  await expect(dialog(page)).toContainText('Must be in the future')
  await dialog(page).getByRole('button', { name: 'In an hour' }).click()
  await dialog(page).getByRole('button', { name: 'Snooze' }).click()
  await expect(rowOf(page, web)).toHaveCount(0)
  await filter(page, 'Snoozed').click()
  await expect(rowOf(page, web)).toContainText(/Snoozed until .* by admin@kustos\.test/)
  await choose(page, web, 'End snooze')
  await expect(rowOf(page, web)).toHaveCount(0)
  await filter(page, 'Open').click()
  await expect(rowOf(page, web)).toBeVisible()
})

test('tells the slower of two users who acknowledged first, and keeps their note', async ({
  browser,
  page,
  testWebs,
  testUsers,
}) => {
  const web = await addUnsupportedWeb(testWebs)
  const colleague = await testUsers.add({ permissions: ['view webs'] })
  await page.goto(`/?${all}`)
  await choose(page, web, 'Acknowledge with a note…')
  const note = dialog(page).getByRole('textbox', { name: 'Note' })
  await note.fill('I am on it')
  const theirs = await testUsers.open(browser, colleague, `/?${all}`)
  await theirs.getByRole('button', { name: `Acknowledge: ${web.fqdn}` }).click()
  await expect(rowOf(theirs, web)).toHaveCount(0)

  await dialog(page).getByRole('button', { name: 'Acknowledge' }).click()
  await expect(dialog(page).getByRole('alert')).toContainText(`${colleague.email} acknowledged this at`)
  await expect(note).toHaveValue('I am on it')
})

test('an entry is acknowledged by keyboard, and the focus moves to the next one', async ({
  page,
  testWebs,
}) => {
  const webs = [await addUnsupportedWeb(testWebs), await addUnsupportedWeb(testWebs)]
  await page.goto(`/?${all}`)
  const acknowledge = (web: TestWeb) => page.getByRole('button', { name: `Acknowledge: ${web.fqdn}` })
  for (const web of webs) await expect(acknowledge(web)).toBeVisible()
  const names = await section(page)
    .getByRole('button', { name: /^Acknowledge: / })
    .evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-label') ?? ''))
  const first = webs.toSorted(
    (a, b) => names.indexOf(`Acknowledge: ${a.fqdn}`) - names.indexOf(`Acknowledge: ${b.fqdn}`),
  )[0]
  if (first === undefined) throw new Error('There is no web')
  const next = names[names.indexOf(`Acknowledge: ${first.fqdn}`) + 1] ?? ''
  await acknowledge(first).focus()
  await page.keyboard.press('Enter')
  await expect(acknowledge(first)).toHaveCount(0)
  await expect(page.getByRole('button', { name: next, exact: true })).toBeFocused()

  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(acknowledge(first)).toBeVisible()
})

test('the focus stays in the kind that is acknowledged by keyboard, and a key undoes it', async ({
  page,
}) => {
  const entries = [entryOf('web_down', 1), entryOf('web_down', 2), entryOf('certificate_wrong', 3)]
  const acknowledged = new Set<string>()
  await page.route('**/api/attention?*', (route) => {
    const data = entries.filter(({ id }) => !acknowledged.has(id))
    const kinds = Object.fromEntries(
      [...Map.groupBy(data, ({ kind }) => kind)].map(([kind, ofKind]) => [kind, ofKind.length]),
    )
    const counts = { open: data.length, mine: 0, acknowledged: 0, snoozed: 0 }
    return route.fulfill({ json: { data, counts, kinds, changes_at: null } })
  })
  await page.route('**/api/attention/*/acknowledge*', (route) => {
    const id = new URL(route.request().url()).pathname.split('/')[3] ?? ''
    if (route.request().method() === 'PUT') acknowledged.add(id)
    else acknowledged.delete(id)
    return route.fulfill({ status: 204 })
  })
  await page.goto('/')
  const acknowledge = (id: number) => page.getByRole('button', { name: `Acknowledge: web${id}.test` })
  const heading = (name: string) => section(page).getByRole('heading', { name })
  const offer = page
    .getByRole('alert')
    .filter({ hasText: 'web2.test: acknowledged' })
    .getByRole('button', { name: 'Undo' })
  await acknowledge(2).focus()
  await page.keyboard.press('Enter')
  await expect(heading('Webs with open incidents')).toBeFocused()
  await expect(offer).toHaveAttribute('aria-keyshortcuts', 'z')
  await page.keyboard.press('z')
  await expect(acknowledge(2)).toBeVisible()
  await acknowledge(1).focus()
  await page.keyboard.press('Enter')
  await expect(acknowledge(2)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(heading('Needs attention')).toBeFocused()
  await expect(offer).toBeVisible()
  // The latest comes first.
  await page.keyboard.press('z')
  await expect(acknowledge(2)).toBeVisible()
  await expect(acknowledge(1)).toHaveCount(0)
})

test('hundreds of entries are shown step by step, and each says why its web is down', async ({ page }) => {
  // At most five webs of the outage come with all kinds.
  const list = (count: number, hidden = 0) => ({
    data: Array.from({ length: count }, (_, index) => ({
      ...entryOf('web_down', index + 1),
      node_outage: index < 40 ? { node_id: 1, down: 40, monitored: 60, incident_id: 1 } : null,
      node: 'n1',
    })).slice(hidden),
    counts: { open: 400, mine: 0, acknowledged: 0, snoozed: 0 },
    kinds: { web_down: 400 },
    changes_at: null,
  })
  await page.route('**/api/attention?*', (route) => {
    const limit = Number(new URL(route.request().url()).searchParams.get('limit'))
    return route.fulfill({ json: limit === 5 ? list(45, 35) : list(Math.min(limit + 40, 400)) })
  })
  // Found by their text, since the roles and names of hundreds of links take a busy machine seconds.
  const web = (fqdn: string) => section(page).getByText(fqdn, { exact: true })
  await page.goto('/')
  await expect(section(page)).toContainText('n1: 40 of 60 webs are down')
  await expect(web('web40.test')).toHaveCount(0)
  await expect(section(page).getByRole('link', { name: 'Show all 400' })).toBeVisible()
  await section(page).getByRole('link', { name: 'Show all webs' }).click()
  await expect(web('web140.test')).toBeVisible()
  await expect(web('web140.test')).toHaveRole('link')
  await section(page).getByRole('button', { name: 'Show 40 webs' }).click()
  const first = section(page)
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name: 'web1.test', exact: true }) })
  await expect(first.last()).toContainText('reason 1')
  const more = section(page).getByText(/^Show \d+ more/)
  await expect(more).toHaveText('Show 100 more (140 of 400 shown)')
  await expect(more).toHaveRole('link')
  await more.click()
  await expect(more).toHaveText('Show 100 more (240 of 400 shown)')
  await expect(web('web240.test')).toBeVisible()
  await expect(web('web241.test')).toHaveCount(0)
  await more.click()
  await expect(more).toHaveText('Show 60 more (340 of 400 shown)')
  await more.click()
  await expect(web('web400.test')).toBeVisible()
  await expect(web('web400.test')).toHaveRole('link')
  await expect(more).toHaveCount(0)
})
