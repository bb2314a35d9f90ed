import type { Page } from '@playwright/test'
import { administrator, readOnly } from './harness/people.ts'
import { sessionOf } from './harness/system.ts'
import { expect, test } from './harness/test.ts'

const rows = (page: Page) => page.getByRole('grid').getByRole('rowheader')
const properties = (page: Page) =>
  page.getByRole('grid').getByRole('gridcell').filter({ hasText: 'customer' })

test.describe('an administrator', () => {
  test.use({
    storageState: async ({ storageState: _ }, use) => use(sessionOf(administrator)),
    // So wide that the differences are in sight.
    viewport: { width: 1800, height: 900 },
  })

  test('reads what was and what is, about one web alone', async ({ page, inventory }) => {
    const web = await inventory.add()
    await inventory.change(web, { customer: 'NACHHER', status: 16 })
    await page.goto(`/logs?subject_type=web&subject_id=${web.id}`)
    await expect(rows(page)).toHaveCount(2)
    await expect(page.getByText('2 entries, all there are.')).toBeVisible()
    await expect(properties(page).first()).toContainText('Customer WALKER → NACHHER')

    // What an entry tells beyond its row stands beside the list, and in the address.
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

  test('cuts the log on the server by causer, feature, subject and time, and Back undoes it', async ({
    page,
    inventory,
  }) => {
    const web = await inventory.add()
    await page.goto('/logs')
    await expect(rows(page).first()).toBeVisible()
    await page.getByRole('combobox', { name: 'Causer' }).fill('hosting@')
    await page.getByRole('option', { name: 'hosting@kustos.test' }).click()
    await expect(page).toHaveURL(/causer=\d+/)
    await expect(page.getByRole('gridcell', { name: administrator.email })).toHaveCount(0)
    await page.goBack()
    await expect(page).not.toHaveURL(/causer=/)

    await page.getByRole('combobox', { name: 'Subject', exact: true }).click()
    await page.getByRole('option', { name: 'web', exact: true }).click()
    // As it closes, the list gives the focus back to its field.
    await expect(page.getByRole('option', { name: 'web', exact: true })).toHaveCount(0)
    const id = page.getByRole('textbox', { name: 'Subject id' })
    await id.click()
    await id.pressSequentially('1x')
    const said = page.getByText('Subject id: must be a number, such as 17. The list is not cut by it.')
    await expect(said).toBeVisible()
    await expect(id).toHaveAttribute('aria-invalid', 'true')
    await page.reload()
    await expect(id).toHaveValue('1x')
    await id.fill(String(web.id))
    await expect(rows(page)).toHaveCount(1)
    await expect(said).toHaveCount(0)
    const from = page.getByLabel('From')
    await from.fill('2036-01-01T00:00')
    await expect(page.getByText('Nothing in the log is like that')).toBeVisible()
    await page.getByLabel('To', { exact: true }).fill('2035-01-01T00:00')
    await page.getByLabel('To', { exact: true }).press('Enter')
    await expect(page.getByText('To: must lie after “From”. The list is not cut by it.')).toBeVisible()
    await page.getByRole('button', { name: 'Read all' }).click()
    await expect(rows(page).nth(1)).toBeVisible()
  })

  test('is told of new entries, which come at once at the top and stay aside while somebody reads', async ({
    page,
    inventory,
  }) => {
    const web = await inventory.add()
    await page.goto(`/logs?subject_type=web&subject_id=${web.id}`)
    await expect(rows(page)).toHaveCount(1)
    await inventory.change(web, { customer: 'ERST' })
    await expect(rows(page)).toHaveCount(2)

    await page.getByRole('button', { name: /^\+\d+ more$/ }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await inventory.change(web, { customer: 'DANN' })
    await page.keyboard.press('Escape')
    const come = page.getByRole('button', { name: 'Show one new entry' })
    await expect(come).toBeVisible()
    await expect(rows(page)).toHaveCount(2)
    await come.click()
    await expect(rows(page)).toHaveCount(3)
    await expect(come).toHaveCount(0)
  })
})

test.describe('a user without the permission', () => {
  test.use({ storageState: async ({ storageState: _ }, use) => use(sessionOf(readOnly)) })

  test('sees neither log nor administration', async ({ page }) => {
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
