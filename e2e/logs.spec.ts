import type { Page } from '@playwright/test'
import { storageStateOf } from './harness/global-setup.ts'
import { administrator, readOnly } from './harness/seeded-users.ts'
import { expect, test, uniqueMark } from './harness/test.ts'
import { visit } from './harness/visit.ts'

const rows = (page: Page) => page.getByRole('grid').getByRole('rowheader')
const openFirstEntry = async (page: Page) => {
  await page
    .getByRole('button', { name: /^Actions: / })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Show entry' }).click()
  return page.getByRole('dialog', { name: /^Entry / })
}
const properties = (page: Page) =>
  page.getByRole('grid').getByRole('gridcell').filter({ hasText: 'customer' })

test.describe('an administrator', () => {
  test.use({
    storageState: async ({ storageState: _ }, use) => use(storageStateOf(administrator)),
    // Wide enough to show the differences.
    viewport: { width: 1800, height: 900 },
  })

  test('sees old and new values of a single web', async ({ openPage: page, testWebs }) => {
    const web = await testWebs.add()
    await testWebs.change(web, { customer: 'NACHHER', status: 16 })
    await visit(page, `/logs?subject_type=web&subject_id=${web.id}`)
    await expect(rows(page)).toHaveCount(2)
    await expect(page.getByText('2 entries')).toBeVisible()
    await expect(properties(page).first()).toContainText('Customer TESTER → NACHHER')

    // The details of an entry appear beside the list, and the URL contains its id.
    await page.getByRole('button', { name: /^\+\d+ more$/ }).click()
    const entry = page.getByRole('dialog')
    await expect(entry).toContainText(web.fqdn)
    await expect(entry).toContainText(administrator.email)
    await expect(entry.getByRole('listitem').filter({ hasText: 'Configured IP' })).toContainText('192.0.2.7')
    await expect(page).toHaveURL(/entry=\d+/)
    await page.keyboard.press('Escape')
    await expect(entry).toBeHidden()
    await expect(page).not.toHaveURL(/entry=/)

    await page.getByRole('gridcell', { name: web.fqdn }).first().getByRole('link').click()
    await expect(page).toHaveURL(new RegExp(`/hosting/show/${web.id}$`))
  })

  test('finds who changed a comment of a customer this week, and reverts it', async ({
    openPage: page,
    testWebs,
  }) => {
    const mark = uniqueMark()
    const web = await testWebs.add({ customer: `ALPEN ${mark}`, comment: 'Pays on time' })
    await testWebs.change(web, { comment: 'Pays late' })
    await testWebs.add({ customer: `BERG ${mark}`, comment: 'Pays late' })
    await visit(page, `/customers/${encodeURIComponent(web.customer)}`)
    await page.getByRole('link', { name: 'Changes this week' }).click()
    await expect(page).toHaveURL(/\/logs\?customer=ALPEN.*within=week/)
    await expect(rows(page)).toHaveCount(2)
    await expect(page.getByText('2 entries', { exact: true })).toBeVisible()

    await page.getByRole('searchbox', { name: 'Search' }).fill('late')
    await expect(rows(page)).toHaveCount(1)
    await expect(page).toHaveURL(/search=late/)
    await expect(page.getByRole('gridcell', { name: administrator.email })).toBeVisible()
    await page
      .getByRole('button', { name: /^Actions: / })
      .first()
      .click()
    await expect(page.getByRole('menuitem', { name: 'Revert this change…' })).toBeVisible()
    await page.keyboard.press('Escape')
    const drawer = await openFirstEntry(page)
    await drawer.getByRole('button', { name: 'Revert this change…' }).click()
    const question = page.getByRole('dialog', { name: web.fqdn })
    await question.getByRole('button', { name: 'Revert', exact: true }).click()
    await expect(page.getByText(`${web.fqdn}: reverted`)).toBeVisible()
    await page.keyboard.press('Escape')

    // The address has it all, and the revert names what it takes back.
    await page.reload()
    await expect(page.getByRole('searchbox', { name: 'Search' })).toHaveValue('late')
    await expect(rows(page)).toHaveCount(2)
    const actionsOf = page.getByRole('button', { name: /^Actions: / })
    await actionsOf.last().click()
    await expect(page.getByRole('menuitem', { name: 'Show entry' })).toBeVisible()
    await expect(page.getByRole('menuitem', { name: 'Revert this change…' })).toHaveCount(0)
    await page.keyboard.press('Escape')
    const revert = await openFirstEntry(page)
    await revert.getByRole('definition').getByRole('link', { name: /^\d+$/ }).click()
    await expect(revert.getByRole('link', { name: /^Reverted by entry \d+$/ })).toBeVisible()
  })

  test('filters the log on the server by causer, feature, subject and time; Back removes the filter', async ({
    openPage: page,
    testWebs,
  }) => {
    const web = await testWebs.add()
    await visit(page, '/logs')
    await expect(rows(page).first()).toBeVisible()
    await page.getByRole('combobox', { name: 'Causer' }).fill('hosting@')
    await page.getByRole('option', { name: 'hosting@kustos.test' }).click()
    await expect(page).toHaveURL(/causer=\d+/)
    await expect(page.getByRole('gridcell', { name: administrator.email })).toHaveCount(0)
    await page.goBack()
    await expect(page).not.toHaveURL(/causer=/)

    await page.getByRole('button', { name: 'More filters' }).click()
    await page.getByRole('combobox', { name: 'Subject', exact: true }).click()
    await page.getByRole('option', { name: 'web', exact: true }).click()
    // The closing list returns the focus to its field.
    await expect(page.getByRole('option', { name: 'web', exact: true })).toHaveCount(0)
    const id = page.getByRole('textbox', { name: 'Subject id' })
    await id.click()
    await id.pressSequentially('1x')
    const error = page.getByText('Subject id: must be a number, e.g. 17. Ignored.')
    await expect(error).toBeVisible()
    await expect(id).toHaveAttribute('aria-invalid', 'true')
    await page.reload()
    await expect(id).toHaveValue('1x')
    await id.fill(String(web.id))
    await expect(rows(page)).toHaveCount(1)
    await expect(error).toHaveCount(0)
    await page.getByRole('combobox', { name: 'Time' }).click()
    await page.getByRole('option', { name: 'From … to …' }).click()
    const from = page.getByLabel('From', { exact: true })
    await from.fill('2036-01-01T00:00')
    await expect(page.getByText('No matching entries')).toBeVisible()
    await page.getByLabel('To', { exact: true }).fill('2035-01-01T00:00')
    await page.getByLabel('To', { exact: true }).press('Enter')
    await expect(page.getByText('To: must be after “From”. Ignored.')).toBeVisible()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await expect(rows(page).nth(1)).toBeVisible()
  })

  test('shows the filters that Back and a row set', async ({ openPage: page, testWebs }) => {
    const web = await testWebs.add()
    await visit(page, `/logs?customer=${web.customer}&within=week`)
    await page.getByRole('combobox', { name: 'Time' }).click()
    await page.getByRole('option', { name: 'From … to …' }).click()
    await page.getByLabel('From', { exact: true }).fill('2026-01-01T00:00')
    await expect(page).toHaveURL(/from=/)
    await page.goBack()
    await expect(page).toHaveURL(/within=week/)
    await expect(page.getByRole('combobox', { name: 'Time' })).toHaveValue('This week')

    await page
      .getByRole('button', { name: /^Actions: / })
      .first()
      .click()
    await page.getByRole('menuitem', { name: 'Show all for this subject' }).click()
    await expect(page).toHaveURL(/subject_id=\d+/)
    await expect(page.getByRole('combobox', { name: 'Subject', exact: true })).toHaveValue('web')
    await expect(page.getByRole('textbox', { name: 'Subject id' })).not.toHaveValue('')
  })

  test('reads one entry after the other without losing the place in the list', async ({ page }) => {
    await page.goto('/logs')
    await expect(rows(page).nth(5)).toBeVisible()
    const scroller = page.getByRole('grid').locator('..')
    const top = () => scroller.evaluate((element) => element.scrollTop)
    await scroller.evaluate((element) => element.scrollTo({ top: 700 }))
    await expect.poll(() => page.locator('[data-row="0"]').count()).toBe(0)
    await page
      .getByRole('button', { name: /^Actions: / })
      .last()
      .click()
    await page.getByRole('menuitem', { name: 'Show entry' }).click()
    await expect(page.getByRole('dialog', { name: /^Entry / })).toBeVisible()
    await expect(page).toHaveURL(/entry=\d+/)
    expect(await top()).toBeGreaterThan(500)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(page).not.toHaveURL(/entry=/)
    expect(await top()).toBeGreaterThan(500)
  })

  test('sees new entries at once, or a button while an entry is open', async ({
    openPage: page,
    testWebs,
  }) => {
    const web = await testWebs.add()
    await visit(page, `/logs?subject_type=web&subject_id=${web.id}`)
    await expect(rows(page)).toHaveCount(1)
    await testWebs.change(web, { customer: 'ERST' })
    await expect(rows(page)).toHaveCount(2)

    await page.getByRole('button', { name: /^\+\d+ more$/ }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await testWebs.change(web, { customer: 'DANN' })
    await page.keyboard.press('Escape')
    const newEntriesButton = page.getByRole('button', { name: 'Show 1 new entry' })
    await expect(newEntriesButton).toBeVisible()
    await expect(rows(page)).toHaveCount(2)
    await newEntriesButton.click()
    await expect(rows(page)).toHaveCount(3)
    await expect(newEntriesButton).toHaveCount(0)
  })
})

test('hides sign-ins until they are asked for, says how many, and exports what the filters leave', async ({
  openPage: page,
  testUsers,
}) => {
  const user = await testUsers.add({ permissions: ['view logs'] })
  await testUsers.signIn(page, user, `/logs?causer=${user.id}`)
  await expect(page.getByText('1 sign-in hidden.')).toBeVisible()
  await expect(page.getByText('No matching entries')).toBeVisible()
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await expect(rows(page)).toHaveCount(1)
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  expect((await saved).suggestedFilename()).toMatch(/^log-.*\.csv$/)
  // The export is in the log.
  await expect(rows(page)).toHaveCount(2)
  await page.getByRole('button', { name: 'Hide sign-ins' }).click()
  await expect(rows(page)).toHaveCount(1)
})

test.describe('a user without the permission', () => {
  test.use({ storageState: async ({ storageState: _ }, use) => use(storageStateOf(readOnly)) })

  test('sees neither the log nor the administration', async ({ page }) => {
    for (const path of [
      '/logs',
      '/admin',
      '/admin/user-management',
      '/admin/user-management/edit/1',
      '/admin/roles',
    ]) {
      await page.goto(path)
      await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()
      await expect(page).toHaveURL(/\/$/)
    }
    const navigation = page.getByRole('navigation', { name: 'Main navigation' })
    await expect(navigation.getByRole('link', { name: 'Webs' })).toBeVisible()
    for (const name of ['Logs', 'User management', 'Roles'])
      await expect(navigation.getByRole('link', { name })).toHaveCount(0)
  })
})
