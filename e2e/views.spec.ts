import type { Page } from '@playwright/test'
import { openApi, storageStateOf } from './harness/global-setup.ts'
import { administrator, token } from './harness/seeded-users.ts'
import { expect, test, uniqueMark } from './harness/test.ts'

test.use({ storageState: async ({ storageState: _ }, use) => use(storageStateOf(administrator)) })

const rows = (page: Page) =>
  page
    .getByRole('grid')
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader') })
const search = (page: Page) => page.getByRole('searchbox', { name: 'Search all visible columns' })
const menuButton = (page: Page, view: string) =>
  page.getByRole('button', { name: `View: ${view}`, exact: true })
const button = (page: Page, name: string) => page.locator('#main').getByRole('button', { name, exact: true })
const notes = (page: Page) => page.locator('#main').getByRole('alert')
const dialog = (page: Page) => page.getByRole('dialog')
const changed = (page: Page) => page.getByRole('status').filter({ hasText: /^Changed$/ })

async function choose(page: Page, view: string, item: string | RegExp) {
  await menuButton(page, view).click()
  await page.getByRole('menuitem', { name: item, exact: typeof item === 'string' }).click()
}

/** Saves the list of webs with this search as a view. @returns its address */
async function saveView(page: Page, text: string, name: string, audience = 'Only me') {
  await page.goto(`/hosting?view=none&q=${text}`)
  await choose(page, 'Standard view', 'Save as new view')
  await dialog(page).getByRole('textbox', { name: 'Name' }).fill(name)
  await dialog(page).getByRole('radio', { name: audience }).check()
  await dialog(page).getByRole('button', { name: 'Save', exact: true }).click()
  await expect(menuButton(page, name)).toBeVisible()
  await expect(page).toHaveURL(/\/hosting\?view=\d+$/)
  return page.url()
}

test('a filtered list is saved, shared, opened by a colleague, changed there, reset and saved as another view', async ({
  page,
  browser,
  testWebs,
  testUsers,
}) => {
  const mark = uniqueMark()
  for (const end of ['a', 'b', 'c']) await testWebs.add({ fqdn: `${mark}-${end}.test` })
  const url = await saveView(page, `${mark}-a`, mark, 'Everyone')

  const user = await testUsers.add({ permissions: ['view webs'] })
  const colleague = await testUsers.open(browser, user, new URL(url).pathname)
  await choose(colleague, 'Standard view', new RegExp(`^${mark}`))
  await expect(colleague).toHaveURL(url)
  await expect(rows(colleague)).toHaveCount(1)
  await expect(changed(colleague)).toHaveCount(0)

  await search(colleague).fill(mark)
  await expect(rows(colleague)).toHaveCount(3)
  await expect(changed(colleague)).toBeVisible()
  await expect(colleague).toHaveURL(new RegExp(`view=\\d+&q=${mark}`))
  // A link to a changed view shows the changes, and Back undoes them.
  await colleague.reload()
  await expect(rows(colleague)).toHaveCount(3)
  await expect(changed(colleague)).toBeVisible()
  await expect(button(colleague, 'Save')).toHaveCount(0)
  await button(colleague, 'Reset').click()
  await expect(rows(colleague)).toHaveCount(1)
  await expect(colleague).toHaveURL(url)
  await colleague.goBack()
  await expect(rows(colleague)).toHaveCount(3)

  await button(colleague, 'Save as new view').click()
  await dialog(colleague).getByRole('textbox', { name: 'Name' }).fill(`${mark} all`)
  await dialog(colleague).getByRole('button', { name: 'Save', exact: true }).click()
  await expect(menuButton(colleague, `${mark} all`)).toBeVisible()
  await expect(rows(colleague)).toHaveCount(3)
  await expect(changed(colleague)).toHaveCount(0)

  await menuButton(page, mark).click()
  await expect(page.getByRole('menuitem', { name: `${mark} all` })).toHaveCount(0)
  await page.getByRole('menuitem', { name: 'Delete', exact: true }).click()
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await expect(menuButton(page, 'Standard view')).toBeVisible()
})

test('a view keeps columns, their order and widths, and saves changes of them', async ({
  page,
  testWebs,
}) => {
  const { fqdn } = await testWebs.add()
  const url = await saveView(page, fqdn, fqdn)
  const width = async () =>
    (await page.getByRole('columnheader', { name: /^FQDN/ }).boundingBox())?.width ?? 0
  const before = await width()
  await button(page, 'Filter FQDN').click()
  await dialog(page).getByRole('button', { name: 'Wider' }).click()
  await page.keyboard.press('Escape')
  await expect(changed(page)).toBeVisible()
  await expect.poll(width).toBeGreaterThan(before)
  await button(page, 'Save').click()
  await expect(changed(page)).toHaveCount(0)
  // Only the view is wider, also in another browser.
  await page.evaluate(() => localStorage.removeItem('kustos.grid.webs'))
  await page.goto(url)
  await expect(menuButton(page, fqdn)).toBeVisible()
  await expect.poll(width).toBeGreaterThan(before)
  await choose(page, fqdn, 'Standard view')
  await expect(menuButton(page, 'Standard view')).toBeVisible()
  await expect.poll(width).toBe(before)
  await page.goBack()
  await choose(page, fqdn, 'Delete')
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await expect(menuButton(page, 'Standard view')).toBeVisible()
})

test('a default view opens with its list, and the list can still be opened without it', async ({
  browser,
  testUsers,
  testWebs,
}) => {
  const { fqdn } = await testWebs.add()
  const user = await testUsers.add({ permissions: ['view webs', 'view queue'] })
  const page = await testUsers.open(browser, user, '/queue')
  const url = await saveView(page, fqdn, 'Mine')
  await choose(page, 'Mine', 'Set as default')
  await expect(page.getByText('Mine: is now the default')).toBeVisible()
  await page.getByRole('navigation').getByRole('link', { name: 'Queue' }).click()
  await expect(page.getByRole('heading', { name: 'Queue' })).toBeVisible()
  await page.getByRole('navigation').getByRole('link', { name: 'Webs', exact: true }).click()
  await expect(page).toHaveURL(url)
  await expect(rows(page)).toHaveCount(1)
  await page.goto('/hosting')
  await expect(page).toHaveURL(url)
  await choose(page, 'Mine', 'Standard view')
  await expect(page).toHaveURL(/\/hosting\?view=none$/)
  await expect(rows(page)).not.toHaveCount(1)
  // A link with filters of its own is shown as it is.
  await page.goto(`/hosting?q=${fqdn}`)
  await expect(menuButton(page, 'Standard view')).toBeVisible()
  await button(page, 'Reset filter').click()
  await expect(page).toHaveURL(/\/hosting\?view=none$/)
})

test('nothing is lost when a view is changed or deleted by somebody else while it is open', async ({
  page,
  browser,
  testWebs,
}) => {
  const mark = uniqueMark()
  for (const end of ['a', 'b', 'c']) await testWebs.add({ fqdn: `${mark}-${end}.test` })
  const url = await saveView(page, `${mark}-a`, mark)
  const other = await (await browser.newContext({ storageState: storageStateOf(administrator) })).newPage()

  // Unchanged, it follows.
  await other.goto(url)
  await search(other).fill(mark)
  await button(other, 'Save').click()
  await expect(rows(page)).toHaveCount(3)
  await expect(page.getByText('the view was changed, latest version loaded')).toBeVisible()
  await expect(page).toHaveURL(url)

  // Changed, it keeps the changes and says so.
  await search(page).fill(`${mark}-b`)
  await expect(changed(page)).toBeVisible()
  await search(other).fill(`${mark}-c`)
  await button(other, 'Save').click()
  await expect(changed(other)).toHaveCount(0)
  await expect(notes(page)).toContainText('was changed by someone else')
  await expect(rows(page)).toContainText(`${mark}-b`)
  await button(page, 'Keep my changes').click()
  await expect(notes(page)).toHaveCount(0)
  await expect(rows(page)).toContainText(`${mark}-b`)

  await choose(other, mark, 'Delete')
  await dialog(other).getByRole('button', { name: 'Delete' }).click()
  await expect(notes(page)).toContainText('was deleted or is no longer shared with you')
  await expect(rows(page)).toContainText(`${mark}-b`)
  await page.reload()
  await expect(notes(page)).toContainText('was deleted or is not shared with you')
  await expect(rows(page)).toContainText(`${mark}-b`)
  await page.getByRole('link', { name: 'Close view' }).click()
  await expect(notes(page)).toHaveCount(0)
  await other.context().close()
})

test('a view keeps up with the filters that belong to its list, and its link shows it as saved', async ({
  page,
  browser,
  testWebs,
}) => {
  const mark = uniqueMark()
  const [first, second] = [
    await testWebs.add({ fqdn: `${mark}-a.test`, customer: `A ${mark}` }),
    await testWebs.add({ fqdn: `${mark}-b.test`, customer: `B ${mark}` }),
  ]
  const filter = ({ customer }: { customer: string }) => new URLSearchParams({ customer }).toString()
  await page.goto(`/logs?${filter(first)}`)
  await choose(page, 'Standard view', 'Save as new view')
  await dialog(page).getByRole('textbox', { name: 'Name' }).fill(mark)
  await dialog(page).getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page).toHaveURL(/view=\d+&customer=A/)
  await expect(rows(page)).toHaveCount(1)
  const view = new URL(page.url()).searchParams.get('view')

  const other = await (await browser.newContext({ storageState: storageStateOf(administrator) })).newPage()
  async function saveElsewhere(web: { customer: string }) {
    await other.goto(`/logs?view=${view}&${filter(web)}`)
    await button(other, 'Save').click()
    await expect(changed(other)).toHaveCount(0)
  }

  // Unchanged, it follows.
  await saveElsewhere(second)
  await expect(page.getByText('the view was changed, latest version loaded')).toBeVisible()
  await expect(rows(page)).toHaveCount(1)
  await expect(page.getByRole('grid')).toContainText(second.fqdn)
  await expect(changed(page)).toHaveCount(0)

  // Changed, it is loaded on demand.
  await page.getByRole('combobox', { name: 'Rows per page' }).selectOption('100')
  await expect(changed(page)).toBeVisible()
  await saveElsewhere(first)
  await button(page, 'Load latest').click()
  await expect(page.getByRole('grid')).toContainText(first.fqdn)
  await expect(changed(page)).toHaveCount(0)

  // Cleared, even before the view has come, they stay so, also after a reload.
  const { promise: isCleared, resolve: release } = Promise.withResolvers<void>()
  await other.route('**/api/views', async (route) => {
    await isCleared
    await route.continue()
  })
  await other.goto(`/logs?view=${view}&${filter(first)}`)
  await button(other, 'Clear filters').click()
  await expect(other).toHaveURL(new RegExp(`/logs\\?view=${view}$`))
  release()
  await expect(other).toHaveURL(/changed=1/)
  await other.unroute('**/api/views')
  await other.reload()
  await expect(changed(other)).toBeVisible()
  await expect(button(other, 'Clear filters')).toHaveCount(0)

  await button(page, 'Clear filters').click()
  await expect(changed(page)).toBeVisible()
  await choose(page, mark, new RegExp(`^${mark}`))
  await expect(rows(page)).toHaveCount(1)
  await expect(changed(page)).toHaveCount(0)
  await choose(page, mark, 'Delete')
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await expect(menuButton(page, 'Standard view')).toBeVisible()
  await other.context().close()
})

test('a view that is renamed while it is changed keeps the changes, and can still be saved', async ({
  page,
  testWebs,
}) => {
  const mark = uniqueMark()
  for (const end of ['a', 'b']) await testWebs.add({ fqdn: `${mark}-${end}.test` })
  await saveView(page, `${mark}-a`, mark)
  await search(page).fill(mark)
  await expect(changed(page)).toBeVisible()
  await choose(page, mark, 'Rename or share')
  await dialog(page).getByRole('textbox', { name: 'Name' }).fill(`${mark} new`)
  await dialog(page).getByRole('button', { name: 'Save', exact: true }).click()
  await expect(menuButton(page, `${mark} new`)).toBeVisible()
  await expect(dialog(page)).toHaveCount(0)
  await expect(notes(page)).toHaveCount(0)
  await expect(rows(page)).toHaveCount(2)
  await button(page, 'Save').click()
  await expect(changed(page)).toHaveCount(0)
  await choose(page, `${mark} new`, 'Delete')
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await expect(menuButton(page, 'Standard view')).toBeVisible()
})

test('a pinned view stands in the sidebar with the number of its rows, which follows changes', async ({
  page,
  testWebs,
}) => {
  const mark = uniqueMark()
  for (const end of ['a', 'b']) await testWebs.add({ fqdn: `${mark}-${end}.test` })
  const url = await saveView(page, mark, mark)
  await choose(page, mark, 'Pin to sidebar')
  const link = page.getByRole('navigation').getByRole('link', { name: new RegExp(`^${mark}`) })
  await expect(link).toHaveAccessibleName(`${mark}, 2 rows`)
  await testWebs.add({ fqdn: `${mark}-c.test` })
  await expect(link).toHaveAccessibleName(`${mark}, 3 rows`)
  await page.goto('/logs')
  await link.click()
  await expect(page).toHaveURL(url)
  await expect(rows(page)).toHaveCount(3)
  await choose(page, mark, 'Remove from sidebar')
  await expect(link).toHaveCount(0)
  await choose(page, mark, 'Delete')
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await expect(menuButton(page, 'Standard view')).toBeVisible()
})

test('views are opened and saved by keyboard, also on a narrow screen', async ({ page, testWebs }) => {
  const { fqdn } = await testWebs.add()
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/hosting?q=${fqdn}`)
  await menuButton(page, 'Standard view').focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Standard view' })).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(page.getByRole('menuitem', { name: 'Save as new view' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByRole('textbox', { name: 'Name' })).toBeFocused()
  await page.keyboard.type(fqdn)
  await page.keyboard.press('Enter')
  await expect(menuButton(page, fqdn)).toBeVisible()
  const width = () => page.evaluate(() => document.documentElement.scrollWidth)
  expect(await width()).toBeLessThanOrEqual(390)
  // The sidebar closes over the chosen view, also if it is the one that is shown.
  await choose(page, fqdn, 'Pin to sidebar')
  for (const entry of [new RegExp(`^${fqdn}`), 'Webs', new RegExp(`^${fqdn}`)]) {
    await page.getByRole('button', { name: 'Open sidebar' }).click()
    await dialog(page).getByRole('link', { name: entry, exact: true }).click()
    await expect(dialog(page)).toHaveCount(0)
  }
  await choose(page, fqdn, 'Delete')
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await expect(menuButton(page, 'Standard view')).toBeVisible()
})

test('a pinned view is counted also while other views keep changing', async ({ page, testWebs }) => {
  const { fqdn } = await testWebs.add()
  await saveView(page, fqdn, fqdn)
  await choose(page, fqdn, 'Pin to sidebar')
  const link = page.getByRole('navigation').getByRole('link', { name: new RegExp(`^${fqdn}`) })
  const api = await openApi(administrator)
  const headers = await token(api)
  const data = {
    list: 'users',
    query: '',
    column_order: [],
    column_widths: {},
    audience: 'private',
    role_id: null,
  }
  const others: number[] = []
  // More often than the first count is delayed by.
  await expect(async () => {
    const name = `${fqdn} ${others.length}`
    others.push((await (await api.post('/api/views', { headers, data: { ...data, name } })).json()).id)
    await expect(link).toHaveAccessibleName(`${fqdn}, 1 row`, { timeout: 1000 })
  }).toPass({ timeout: 12_000, intervals: [1] })
  for (const id of others) await api.delete(`/api/views/${id}`, { headers })
  await choose(page, fqdn, 'Delete')
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await expect(menuButton(page, 'Standard view')).toBeVisible()
  await api.dispose()
})

test('a view whose columns are gone opens and says what is missing', async ({ page, testWebs }) => {
  const { fqdn } = await testWebs.add()
  const api = await openApi(administrator)
  const headers = await token(api)
  const shown = { query: `q=${fqdn}&f.gone=contains:a&sort=old`, column_order: ['old'], column_widths: {} }
  const data = { list: 'webs', name: fqdn, ...shown, audience: 'private', role_id: null }
  const { id } = await (await api.post('/api/views', { headers, data })).json()
  await page.goto(`/hosting?view=${id}`)
  await expect(rows(page)).toHaveCount(1)
  await expect(notes(page).filter({ hasText: 'filters by' })).toContainText('“gone”')
  await expect(notes(page).filter({ hasText: 'columns of' })).toContainText('“old”')
  await page.evaluate(() => localStorage.setItem('kustos.language', JSON.stringify('de')))
  await page.reload()
  await expect(notes(page).filter({ hasText: 'Diese Liste' }).first()).toContainText('„gone“')
  expect((await api.delete(`/api/views/${id}`, { headers })).status()).toBe(204)
  await api.dispose()
})
