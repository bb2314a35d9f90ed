import type { Page } from '@playwright/test'
import { storageStateOf } from './harness/global-setup.ts'
import { administrator } from './harness/seeded-users.ts'
import { expect, test, uniqueMark } from './harness/test.ts'
import { visit } from './harness/visit.ts'

test.use({ storageState: async ({ storageState: _ }, use) => use(storageStateOf(administrator)) })

const rows = (page: Page) =>
  page
    .getByRole('grid')
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader') })
const search = (page: Page) => page.getByRole('searchbox', { name: 'Search all visible columns' })
const headers = (page: Page) => page.getByRole('grid').getByRole('columnheader')

test('a bulk action runs on the selected rows that pass the filters, and says how many are hidden', async ({
  openPage: page,
  testWebs,
}) => {
  const mark = uniqueMark()
  for (const end of ['a', 'b', 'c']) await testWebs.add({ fqdn: `${mark}-${end}.test` })
  await visit(page, `/hosting?q=${mark}`)
  await expect(rows(page)).toHaveCount(3)
  for (const end of ['a', 'b', 'c'])
    await page.getByRole('checkbox', { name: `Select ${mark}-${end}.test` }).click()
  const bar = page.getByRole('toolbar')
  await expect(bar).toContainText('3 selected')
  await search(page).fill(`${mark}-a`)
  await expect(bar).toContainText('1 selected (2 more hidden by filters)')
  await bar.getByRole('button', { name: 'Backup' }).click()
  await expect(page.getByRole('dialog', { name: 'Backup · 1 web', exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await search(page).fill(`${mark}-nothing`)
  await expect(bar).toContainText('0 selected (3 more hidden by filters)')
  await expect(bar.getByRole('button', { name: 'Backup' })).toBeDisabled()
  await search(page).fill(`${mark}-a|${mark}-c`)
  await page.getByRole('button', { name: 'Search as a regular expression' }).click()
  await expect(rows(page)).toHaveCount(2)
  await expect(search(page)).toBeFocused()
})

test('a range is selected from the row that was clicked, also after others were added above it', async ({
  openPage: page,
  testWebs,
}) => {
  const mark = uniqueMark()
  for (const end of ['b', 'c', 'd']) await testWebs.add({ fqdn: `${mark}-${end}.test` })
  await visit(page, `/hosting?q=${mark}&sort=fqdn`)
  await expect(rows(page)).toHaveCount(3)
  const checkbox = (end: string) => page.getByRole('checkbox', { name: `Select ${mark}-${end}.test` })
  await checkbox('c').click()
  await testWebs.add({ fqdn: `${mark}-a.test` })
  await expect(rows(page)).toHaveCount(4)
  await checkbox('d').click({ modifiers: ['Shift'] })
  await expect(page.getByRole('toolbar')).toContainText('2 selected')
  await expect(checkbox('c')).toBeChecked()
  await expect(checkbox('b')).not.toBeChecked()
})

test('the focus stays on its row when others are added above it', async ({ openPage: page, testWebs }) => {
  const mark = uniqueMark()
  for (const end of ['b', 'c']) await testWebs.add({ fqdn: `${mark}-${end}.test` })
  await visit(page, `/hosting?q=${mark}&sort=fqdn`)
  await expect(rows(page)).toHaveCount(2)
  const checkbox = page.getByRole('checkbox', { name: `Select ${mark}-b.test` })
  await checkbox.focus()
  await testWebs.add({ fqdn: `${mark}-a.test` })
  await expect(rows(page)).toHaveCount(3)
  await expect(checkbox).toBeFocused()
  await page.keyboard.press('Space')
  await expect(checkbox).toBeChecked()
  await expect(page.getByRole('toolbar')).toContainText('1 selected')
})

test('the shortcut of the search field does nothing while a dialog is open', async ({
  openPage: page,
  testWebs,
}) => {
  const { fqdn } = await testWebs.add()
  await visit(page, `/hosting?q=${fqdn}`)
  await page.getByRole('button', { name: `Actions: ${fqdn}` }).click()
  await page.getByRole('menuitem', { name: 'Delete', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('button', { name: 'Cancel' }).last()).toBeFocused()
  await page.keyboard.press('/')
  await expect(dialog.getByRole('button', { name: 'Cancel' }).last()).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await page.keyboard.press('/')
  await expect(search(page)).toBeFocused()
})

test('the shortcut of the search field works after a row was selected', async ({
  openPage: page,
  testWebs,
}) => {
  const { fqdn } = await testWebs.add()
  await visit(page, `/hosting?q=${fqdn}`)
  const checkbox = page.getByRole('checkbox', { name: `Select ${fqdn}` })
  await checkbox.click()
  await expect(checkbox).toBeFocused()
  await page.keyboard.press('/')
  await expect(search(page)).toBeFocused()
})

test('the copy icon stays while the value of its cell changes', async ({ openPage: page, testWebs }) => {
  const web = await testWebs.add()
  await visit(page, `/hosting?q=${web.fqdn}`)
  const cell = rows(page).getByRole('gridcell').filter({ hasText: web.customer })
  await cell.hover()
  await expect(cell.getByRole('button', { name: 'Copy' })).toBeVisible()
  await testWebs.change(web, { customer: 'NEUKUNDE' })
  const changed = rows(page).getByRole('gridcell').filter({ hasText: 'NEUKUNDE' })
  await expect(changed).toBeVisible()
  await expect(changed.getByRole('button', { name: 'Copy' })).toBeVisible()
})

test('the checkbox of the header stays above those of the rows while the list is scrolled sideways', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1024, height: 900 })
  await page.goto('/hosting')
  const all = page.getByRole('checkbox', { name: 'Select all' })
  const first = rows(page).first().getByRole('checkbox')
  await expect(first).toBeVisible()
  const grid = page.getByRole('grid')
  await grid.evaluate((element) => element.parentElement?.scrollTo({ left: 200 }))
  await expect.poll(() => grid.evaluate((element) => element.parentElement?.scrollLeft)).toBeGreaterThan(0)
  expect((await all.boundingBox())?.x).toBe((await first.boundingBox())?.x)
})

test('all rows can be selected once they are loaded', async ({ page, testWebs }) => {
  const web = await testWebs.add()
  let load = () => {}
  const isLoaded = new Promise<void>((resolve) => {
    load = resolve
  })
  await page.route('**/api/webs', async (route) => {
    await isLoaded
    await route.continue()
  })
  await page.goto(`/hosting?q=${web.fqdn}`)
  const all = page.getByRole('checkbox', { name: 'Select all' })
  await expect(all).toBeDisabled()
  load()
  await all.click()
  await expect(page.getByRole('toolbar')).toContainText('1 selected')
})

test('the footer stays below the list in a window that is too low for both', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 560 })
  await page.goto('/hosting?f.id=%3E:0')
  await expect(rows(page).first()).toBeVisible()
  const footer = await page.getByText('All rights reserved').boundingBox()
  const paging = await page.getByRole('button', { name: 'Next page' }).boundingBox()
  expect(footer?.y).toBeGreaterThanOrEqual((paging?.y ?? 0) + (paging?.height ?? 0))
})

test('a narrow list shows filtered columns beside the names of its rows', async ({ page }) => {
  await page.setViewportSize({ width: 900, height: 900 })
  await page.goto('/hosting?sets=node,customer,system&f.framework_support=any-of:ended')
  await expect(headers(page).filter({ hasText: /./ }).nth(1)).toHaveText('Framework support')
})

test('an order of columns chosen on a tablet leaves the order of wide screens as it is', async ({ page }) => {
  const order = async () =>
    (await headers(page).allInnerTexts()).map((text) => text.trim()).filter((text) => text !== '')
  await page.goto('/batches')
  await expect(headers(page).first()).toBeVisible()
  const wide = await order()
  await page.setViewportSize({ width: 900, height: 900 })
  await expect.poll(order).not.toEqual(wide)
  const narrow = await order()
  await headers(page).nth(1).getByRole('button').first().focus()
  await page.keyboard.press('Alt+Shift+ArrowRight')
  await expect.poll(order).not.toEqual(narrow)
  const moved = await order()
  await page.setViewportSize({ width: 1440, height: 900 })
  await expect.poll(order).toEqual(wide)
  await page.setViewportSize({ width: 900, height: 900 })
  await expect.poll(order).toEqual(moved)
})

test('a search and a filter of the log apply together if they are set right after each other', async ({
  openPage: page,
}) => {
  await visit(page, '/logs')
  await expect(rows(page).first()).toBeVisible()
  await page.getByRole('combobox', { name: 'Action' }).click()
  await expect(page.locator('[role=option]:visible').first()).toBeVisible()
  // The option is chosen before the URL is updated with the search.
  await page.evaluate(() => {
    const field = document.querySelector<HTMLInputElement>('input[type=search]')
    if (field === null) throw new Error('There is no search field')
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, 'webs')
    field.dispatchEvent(new Event('input', { bubbles: true }))
    const options = [...document.querySelectorAll<HTMLElement>('[role=option]')]
    options.find((option) => option.checkVisibility())?.click()
  })
  await expect(page).toHaveURL(/[?&]action=/)
  await expect(page).toHaveURL(/[?&]search=webs/)
  await expect(page.getByRole('searchbox', { name: 'Search', exact: true })).toHaveValue('webs')
})

test('probes loaded during a refresh of the list follow the shown ones without a gap', async ({ page }) => {
  const probe = (minute: number) => ({
    web: { id: 1, fqdn: `minute-${minute}.test` },
    created_at: `2026-01-01T00:0${minute}:00.000Z`,
    status: 200,
    response_time_ms: 10,
    reason: null,
  })
  let requests = 0
  let isRefreshing = false
  await page.route('**/api/monitoring/webs/statistics*', async (route) => {
    const before = new URL(route.request().url()).searchParams.get('before')
    if (before !== null) {
      const end = Number(before.slice(15, 16))
      return route.fulfill({ json: { data: [probe(end - 1), probe(end - 2)] } })
    }
    requests += 1
    if (requests === 1) return route.fulfill({ json: { data: [probe(5), probe(4)] } })
    isRefreshing = true
    await new Promise((resolve) => setTimeout(resolve, 4000))
    await route.fulfill({ json: { data: [probe(8), probe(7)] } }).catch(() => undefined)
  })
  await page.goto('/monitoring/events')
  await expect(rows(page)).toHaveCount(2)
  await expect.poll(() => isRefreshing, { timeout: 45_000 }).toBe(true)
  await page.getByRole('button', { name: 'Load older' }).click()
  await expect(rows(page)).toHaveCount(4)
  await page.waitForTimeout(5000)
  const minutes = (await rows(page).allInnerTexts()).map((text) => Number(/minute-(\d)/.exec(text)?.[1]))
  expect(minutes).toEqual([5, 4, 3, 2])
})

test('a screen that is still loading opens although the list has yet to write its search into the URL', async ({
  page,
  testWebs,
}) => {
  const web = await testWebs.add()
  await page.route(/\/assets\/WebPageScreen-[^/]+\.js$/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    await route.continue()
  })
  await page.goto('/hosting')
  await expect(page.getByRole('rowheader').first()).toBeVisible()
  await search(page).fill(web.fqdn)
  await page.getByRole('link', { name: web.fqdn, exact: true }).click()
  await expect(page).toHaveURL(new RegExp(`/hosting/show/${web.id}`))
  await expect(page.getByRole('heading', { name: web.fqdn, level: 1 })).toBeVisible()
  await page.goBack()
  await expect(search(page)).toHaveValue(web.fqdn)
})

test('Back takes the first toggle of columns back', async ({ page }) => {
  await page.goto('/hosting')
  const comment = headers(page).filter({ hasText: 'Comment' })
  await expect(rows(page).first()).toBeVisible()
  await expect(comment).toHaveCount(0)
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Comment' }).click()
  await page.keyboard.press('Escape')
  await expect(comment).toHaveCount(1)
  await expect(page).toHaveURL(/sets=/)
  await page.goBack()
  await expect(comment).toHaveCount(0)
  await page.goForward()
  await expect(comment).toHaveCount(1)
  // The choice is still remembered.
  await page.goto('/hosting')
  await expect(comment).toHaveCount(1)
})

for (const [screen, path, list] of [
  ['WebListScreen', '/hosting', '/api/webs'],
  ['TrackingListScreen', '/hosting/tracking', '/api/webs'],
  ['CheckUptimeScreen', '/monitoring/webs', '/api/monitoring/webs'],
] as const)
  test(`the list at ${path} is requested while the code of its screen is loading`, async ({ page }) => {
    const requested = page.waitForRequest((request) => new URL(request.url()).pathname === list)
    await page.route(new RegExp(`/assets/${screen}-[^/]+\\.js$`), async (route) => {
      await requested
      await route.continue()
    })
    await page.goto(path)
    await expect(page.getByRole('rowheader').first()).toBeVisible()
  })

test('? shows the keys, those of the list first, unless the user types', async ({
  openPage: page,
  testWebs,
}) => {
  const { fqdn } = await testWebs.add()
  await visit(page, `/hosting?q=${fqdn}`)
  await expect(rows(page)).toHaveCount(1)
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await page.keyboard.press('?')
  await expect(keys.getByRole('table').first()).toContainText('In this list')
  await expect(keys).toContainText('Search or jump to anything')
  await page.keyboard.press('Escape')
  await expect(keys).toHaveCount(0)
  await page.keyboard.press('/')
  await page.keyboard.press('?')
  await expect(search(page)).toHaveValue(/\?/)
  await expect(keys).toHaveCount(0)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^User menu/ }).click()
  await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click()
  await expect(keys).toBeVisible()
  await page.keyboard.press('Escape')
})

test('links back to a list restore its search', async ({ openPage: page }) => {
  for (const [list, detail] of [
    ['/monitoring/incidents', '/monitoring/incidents/999999'],
    ['/nodes', '/nodes/no-such-node'],
    ['/nodes', '/nodes/1/discovery'],
    ['/limitis/alldomains', '/domains/no-such-domain.test'],
    ['/queue', '/queue/999999'],
    ['/batches', '/batches/999999'],
  ] as const) {
    await visit(page, `${list}?q=search`)
    await expect(search(page)).toHaveValue('search')
    await visit(page, detail)
    await page.locator(`#main a[href^="${list}"]`).first().click()
    await expect(page).toHaveURL(new RegExp(`${list}\\?q=search$`))
    await expect(search(page)).toHaveValue('search')
  }
})
