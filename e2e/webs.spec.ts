import type { Locator, Page } from '@playwright/test'
import { emptyWebForm } from '../packages/contract/src/webs/form.ts'
import { openConsoleDatabase } from './harness/database.ts'
import { storageStateOf } from './harness/global-setup.ts'
import { administrator } from './harness/seeded-users.ts'
import { afterReset, expect, test, uniqueMark } from './harness/test.ts'
import { visit } from './harness/visit.ts'
import { readWorkbook } from './harness/xlsx.ts'

test.use({ storageState: async ({ storageState: _ }, use) => use(storageStateOf(administrator)) })

const grid = (page: Page) => page.getByRole('grid')
/** The rows of webs, without the header. */
const rows = (page: Page) =>
  grid(page)
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader') })
const rowOf = (page: Page, fqdn: string) => rows(page).filter({ hasText: fqdn })
const headers = (page: Page) => grid(page).getByRole('columnheader')
const search = (page: Page) => page.getByRole('searchbox', { name: 'Search all visible columns' })
const chips = (page: Page) => page.getByRole('group', { name: 'Active filters' })
/** A plain field, or one that suggests what is known. */
const field = (page: Page, name: string) =>
  page.getByRole('textbox', { name, exact: true }).or(page.getByRole('combobox', { name, exact: true }))

async function openList(page: Page, query = '') {
  await visit(page, `/hosting${query}`)
  await expect(grid(page)).toBeVisible()
}

async function choose(page: Page, fqdn: string, action: string) {
  await grid(page)
    .getByRole('button', { name: `Actions: ${fqdn}` })
    .click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

async function confirmDialog(page: Page, question: string, yes: string): Promise<Locator> {
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText(question)
  await dialog.getByRole('button', { name: yes }).click()
  return dialog
}

test('finds a web by a regular expression', async ({ openPage: page, testWebs }) => {
  const mark = uniqueMark()
  for (const end of ['a', 'b', 'c']) await testWebs.add({ fqdn: `${mark}-${end}.test` })
  await openList(page)
  await expect(page.getByText('Search fields accept regular expressions')).toBeVisible()

  await page.keyboard.press('/')
  await expect(search(page)).toBeFocused()
  await search(page).fill(`^${mark}-[ab]\\.test$`)
  await expect(rows(page)).toHaveCount(0)
  await page.getByRole('button', { name: 'Regular expression', exact: true }).click()
  await expect(rows(page)).toHaveCount(2)
  await expect(rowOf(page, `${mark}-a.test`)).toBeVisible()
  await expect(rowOf(page, `${mark}-b.test`)).toBeVisible()
  await expect(page.getByText('1–2 of 2')).toBeVisible()

  await search(page).fill(`(${mark}`)
  await expect(page.getByText('Invalid regular expression, ignored')).toBeVisible()
  await expect(rows(page)).not.toHaveCount(0)
})

test('has an input for every field of the form', async ({ openPage: page }) => {
  await visit(page, '/hosting/add')
  await expect(field(page, 'FQDN')).toBeVisible()
  for (const name of Object.keys(emptyWebForm))
    await expect(page.locator(`[data-path="${name}"]`), `the input of ${name}`).toBeAttached()
})

test('edits a web', async ({ openPage: page, testWebs }) => {
  const web = await testWebs.add()
  await openList(page, `?q=${web.fqdn}`)
  await choose(page, web.fqdn, 'Edit')
  await expect(page.getByRole('heading', { level: 1 })).toContainText(web.fqdn)
  await expect(page.getByRole('textbox', { name: 'Node' })).not.toBeEditable()
  await field(page, 'Customer').fill('  MÜLLER  ')
  await field(page, 'Comment').fill('=1+1 is no formula\nsecond line')
  await page.getByRole('button', { name: 'Save' }).click()

  await expect(page.getByText(`${web.fqdn}: saved`)).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`/hosting\\?q=${web.fqdn}$`))
  await expect(rowOf(page, web.fqdn)).toContainText('MÜLLER')
  const saved = await (await page.request.get(`/api/webs/${web.id}`)).json()
  expect(saved).toMatchObject({ customer: 'MÜLLER', comment: '=1+1 is no formula\nsecond line' })
  await page.getByRole('button', { name: 'Show web' }).click()
  await expect(page).toHaveURL(`/hosting/show/${web.id}`)
})

test('shows errors of the browser and of the server under their fields', async ({
  openPage: page,
  testWebs,
}) => {
  const [web, other] = [await testWebs.add(), await testWebs.add()]
  await visit(page, `/hosting/edit/${web.id}`)
  await field(page, 'Customer').fill('')
  await field(page, 'Configured IP').fill('300.1.1.1')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Customer is required')).toBeVisible()
  await expect(page.getByText('Must be an IPv4 or IPv6 address')).toBeVisible()
  await expect(field(page, 'Customer')).toBeFocused()

  await field(page, 'Customer').fill(web.customer)
  await field(page, 'Configured IP').fill('192.0.2.9')
  await field(page, 'FQDN').fill(other.fqdn.toUpperCase())
  await page.getByRole('button', { name: 'Save' }).click()
  // Only the server knows about the other web.
  await expect(field(page, 'FQDN')).toHaveAttribute('aria-invalid', 'true')
  await expect(field(page, 'FQDN')).toHaveAccessibleDescription(/already/)
  await expect(page).toHaveURL(/\/hosting\/edit\//)
})

test('does not overwrite a concurrent change', async ({ openPage: page, testWebs }) => {
  const web = await testWebs.add()
  await visit(page, `/hosting/edit/${web.id}`)
  await field(page, 'Comment').fill('typed by me')
  await testWebs.change(web, { customer: 'FASTER', comment: 'from the fast one' })
  await page.getByRole('button', { name: 'Save' }).click()
  // Notifications are alerts, too.
  const alert = page.getByRole('alert').filter({ hasText: 'Someone else saved first' })
  await expect(alert).toBeVisible()
  await expect(field(page, 'Comment')).toHaveValue('typed by me')
  const stored = await (await page.request.get(`/api/webs/${web.id}`, afterReset)).json()
  expect(stored.comment).toBe('from the fast one')

  await alert.getByRole('button', { name: 'Load latest' }).click()
  await expect(field(page, 'Customer')).toHaveValue('FASTER')
  await page.getByRole('button', { name: 'Use mine' }).click()
  await expect(field(page, 'Comment')).toHaveValue('typed by me')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(`${web.fqdn}: saved`)).toBeVisible()
  const saved = await (await page.request.get(`/api/webs/${web.id}`, afterReset)).json()
  expect(saved).toMatchObject({ customer: 'FASTER', comment: 'typed by me' })
})

test('keeps input that lost against a concurrent change until the user has decided, also through another one', async ({
  openPage: page,
  testWebs,
}) => {
  const web = await testWebs.add()
  await visit(page, `/hosting/edit/${web.id}`)
  await field(page, 'Comment').fill('typed by me')
  await testWebs.change(web, { comment: 'from the fast one' })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Load latest' }).click()
  await expect(field(page, 'Comment')).toHaveValue('from the fast one')
  await testWebs.change(web, { customer: 'FASTER', comment: 'from the fast one' })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Load latest' }).click()
  await expect(field(page, 'Customer')).toHaveValue('FASTER')
  await page.getByRole('button', { name: 'Use mine' }).click()
  await expect(field(page, 'Comment')).toHaveValue('typed by me')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(`${web.fqdn}: saved`)).toBeVisible()
})

test('asks before leaving an unsaved form', async ({ openPage: page, testWebs }) => {
  const web = await testWebs.add()
  await visit(page, `/hosting/edit/${web.id}`)
  await field(page, 'Comment').fill('half a thought')
  await page.getByRole('link', { name: 'Back to list' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Your changes have not been saved.')
  await dialog.getByRole('button', { name: 'Stay' }).last().click()
  await expect(field(page, 'Comment')).toHaveValue('half a thought')
  await page.getByRole('link', { name: 'Back to list' }).click()
  await dialog.getByRole('button', { name: 'Leave' }).click()
  await expect(grid(page)).toBeVisible()
})

for (const [language, show, restore, reason] of [
  ['en', 'Show deleted', 'Restore', 'This web cannot be restored: $ has the system user'],
  [
    'de',
    'Gelöschte anzeigen',
    'Wiederherstellen',
    'Dieses Web lässt sich nicht wiederherstellen: $ hat den Systembenutzer',
  ],
] as const)
  test(`says why a web cannot be restored: ${language}`, async ({ page, testWebs }) => {
    const [web, other] = [await testWebs.add(), await testWebs.add()]
    const user = uniqueMark()
    const database = await openConsoleDatabase()
    try {
      await database.pool.query(
        'update webs set sysuser = $2, node_id = (select min(id) from nodes), deleted_at = now() where id = $1',
        [web.id, user],
      )
      await database.pool.query(
        'update webs set sysuser = $2, node_id = (select min(id) from nodes) where id = $1',
        [other.id, user],
      )
    } finally {
      await database.close()
    }
    await page.addInitScript(
      (chosen) => localStorage.setItem('kustos.language', JSON.stringify(chosen)),
      language,
    )
    await openList(page, `?q=${web.fqdn}`)
    await page.getByLabel(show).click()
    await rowOf(page, web.fqdn).getByRole('button', { name: web.fqdn }).click()
    await page.getByRole('menuitem', { name: restore, exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: restore }).click()
    const sentence = `${reason.replace('$', other.fqdn)} ${user}`
    await expect(page.getByRole('alert').filter({ hasText: sentence })).toBeVisible()
    await expect(rowOf(page, web.fqdn)).toBeVisible()
  })

test('adds, deletes and restores a web', async ({ openPage: page }) => {
  const fqdn = `${uniqueMark()}.bäckerei.test`
  await openList(page, `?q=${fqdn}`)
  await page.getByRole('link', { name: 'Create', exact: true }).first().click()
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByText('Customer is required')).toBeVisible()
  await field(page, 'FQDN').fill(fqdn)
  await field(page, 'Customer').fill('BÄCKEREI')
  await field(page, 'Configured IP').fill('2001:db8::7')
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByText(`${fqdn}: created`)).toBeVisible()
  await expect(rowOf(page, fqdn)).toBeVisible()

  await choose(page, fqdn, 'Delete')
  await confirmDialog(page, 'Are you sure to delete this record?', 'Delete')
  await expect(page.getByText(`${fqdn}: deleted`)).toBeVisible()
  await expect(rowOf(page, fqdn)).toHaveCount(0)

  await page.getByLabel('Show deleted').click()
  await expect(page.getByRole('heading', { name: 'Deleted webs' })).toBeVisible()
  await choose(page, fqdn, 'Restore')
  await confirmDialog(page, 'Are you sure to restore this record?', 'Restore')
  await expect(page.getByText(`${fqdn}: restored`)).toBeVisible()
  await expect(rowOf(page, fqdn)).toHaveCount(0)
  await page.getByLabel('Show deleted').click()
  await expect(rowOf(page, fqdn)).toBeVisible()

  await choose(page, fqdn, 'Delete')
  await confirmDialog(page, 'Are you sure to delete this record?', 'Delete')
  await expect(rowOf(page, fqdn)).toHaveCount(0)
})

test('requests a re-scan after a confirmation and shows when each fact was last seen', async ({
  openPage: page,
  testWebs,
}) => {
  const web = await testWebs.add()
  await openList(page, `?q=${web.fqdn}`)
  await choose(page, web.fqdn, 'Re-scan')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Re-read this web’s data')
  await dialog.getByRole('button', { name: 'Re-scan' }).click()
  await expect(page.getByText(`${web.fqdn}: re-scan requested`)).toBeVisible()
  await page.getByRole('button', { name: 'Show last re-scan' }).click()

  await expect(page).toHaveURL(new RegExp(`/hosting/show/${web.id}\\?inspection=\\d+$`))
  const lastChecked = page.getByRole('region', { name: 'Last checked' })
  // This web's name does not resolve, it was never audited and it is on no node.
  await expect(lastChecked.getByText('Last attempt failed:').first()).toBeVisible({ timeout: 25_000 })
  await expect(lastChecked.getByText('Not checked yet')).toHaveCount(2)
  await expect(page.getByRole('button', { name: 'Re-scan', exact: true })).toBeEnabled()
})

test('exports the filtered rows and the visible columns without formulas', async ({
  openPage: page,
  testWebs,
}) => {
  const mark = uniqueMark()
  const dangerous = ['=HYPERLINK("https://example.test")', '+1', '-1', '@sum']
  for (const [index, comment] of dangerous.entries()) {
    await testWebs.add({ fqdn: `${mark}-${index}.test`, customer: 'EXPORT & <CO>', comment })
  }
  await openList(page, `?q=${mark}&sort=-fqdn&sets=customer,comment`)
  await expect(rows(page)).toHaveCount(4)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export XLS' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/\.xlsx$/)
  const { parts, rows: exported, hasFormula } = await readWorkbook(await download.path())
  expect(parts.get('[Content_Types].xml')).toContain('spreadsheetml.sheet.main+xml')
  expect(hasFormula).toBe(false)
  const [header, ...body] = exported
  expect(header).toEqual(['Id', 'FQDN', 'Customer', 'Comment'])
  expect(body.map((row) => row[1])).toEqual([3, 2, 1, 0].map((index) => `${mark}-${index}.test`))
  expect(body.map((row) => row[2])).toEqual(dangerous.map(() => 'EXPORT & <CO>'))
  expect(body.map((row) => row[3])).toEqual(dangerous.toReversed())
})

test('remembers which columns are visible', async ({ page }) => {
  await openList(page)
  const names = () => headers(page).allInnerTexts()
  expect((await names()).join()).toContain('Node')
  expect((await names()).join()).not.toContain('Comment')
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Comment' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Node' }).click()
  await expect(headers(page).filter({ hasText: 'Comment' })).toBeVisible()
  await openList(page)
  await expect(headers(page).filter({ hasText: 'Comment' })).toBeVisible()
  await expect(headers(page).filter({ hasText: 'Node' })).toHaveCount(0)
  expect(await page.evaluate(() => localStorage.getItem('websiteListColumnSet'))).toContain('comment')
})

test('shows the same list behind a copied link', async ({ page, testWebs, context }) => {
  const mark = uniqueMark()
  for (const [index, customer] of ['ALPHA', 'BETA', 'GAMMA'].entries()) {
    await testWebs.add({ fqdn: `${mark}-${index}.test`, customer })
  }
  await openList(page)
  await search(page).fill(mark)
  await page.getByRole('button', { name: 'Filter Customer' }).click()
  const filter = page.getByRole('dialog', { name: 'Filter Customer' })
  await filter.getByRole('combobox', { name: 'Operator' }).selectOption('matches')
  await filter.getByRole('textbox', { name: 'Value' }).fill('^(alpha|gamma)$')
  await page.keyboard.press('Escape')
  await headers(page).filter({ hasText: 'FQDN' }).getByRole('button').first().click()
  await headers(page).filter({ hasText: 'FQDN' }).getByRole('button').first().click()
  await page.getByLabel('Rows per page').selectOption('100')
  await expect(rows(page)).toHaveCount(2)
  await expect(rows(page).first()).toContainText(`${mark}-2.test`)
  await expect(page).toHaveURL(/size=100/)

  const user = await context.newPage()
  await user.goto(page.url())
  await expect(rows(user)).toHaveCount(2)
  await expect(rows(user).first()).toContainText(`${mark}-2.test`)
  await expect(search(user)).toHaveValue(mark)
  await expect(user.getByLabel('Rows per page')).toHaveValue('100')
  await expect(headers(user).filter({ hasText: 'FQDN' })).toHaveAttribute('aria-sort', 'descending')
})

test('goes back when Back follows a step immediately', async ({ page, testWebs }) => {
  const mark = uniqueMark()
  await testWebs.add({ fqdn: `${mark}-0.test`, customer: 'ALPHA' })
  await testWebs.add({ fqdn: `${mark}-1.test`, customer: 'BETA' })
  await openList(page, `?q=${mark}&f.customer=contains:ALPHA`)
  await expect(rows(page)).toHaveCount(1)
  await page.evaluate(() => {
    const push = history.pushState
    history.pushState = (...step) => {
      history.pushState = push
      push.apply(history, step)
      history.back()
    }
  })
  // Rendering after a step takes longer than going back.
  const browser = await page.context().newCDPSession(page)
  await browser.send('Emulation.setCPUThrottlingRate', { rate: 20 })
  await chips(page)
    .getByRole('button', { name: /Remove: .*ALPHA/ })
    .click()
  await expect.poll(() => page.evaluate(() => history.pushState.name)).toBe('pushState')
  await expect(page).toHaveURL(/customer=contains/)
  await expect(rows(page)).toHaveCount(1)
})

test('removes filters one by one through their chips, and all of them with one button', async ({
  openPage: page,
  testWebs,
}) => {
  const mark = uniqueMark()
  await testWebs.add({ fqdn: `${mark}-0.test`, customer: 'ALPHA' })
  await testWebs.add({ fqdn: `${mark}-1.test`, customer: 'BETA' })
  await openList(page, `?q=${mark}&f.customer=contains:ALPHA`)
  await expect(rows(page)).toHaveCount(1)
  await chips(page)
    .getByRole('button', { name: /Remove: .*ALPHA/ })
    .click()
  await expect(rows(page)).toHaveCount(2)
  await expect(page).toHaveURL(new RegExp(`\\?q=${mark}$`))
  await page.goBack()
  await expect(rows(page)).toHaveCount(1)
  await page.getByRole('button', { name: 'Reset filter' }).click()
  await expect(chips(page)).toHaveCount(0)
  await expect(search(page)).toHaveValue('')
  await expect(page).toHaveURL(/\/hosting$/)
})
