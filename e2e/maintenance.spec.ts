import { storageStateOf } from './harness/global-setup.ts'
import { administrator, token } from './harness/seeded-users.ts'
import { expect, test, uniqueMark } from './harness/test.ts'
import { visit } from './harness/visit.ts'

test.use({ storageState: async ({ storageState: _ }, use) => use(storageStateOf(administrator)) })

test('plans maintenance of a web from its page, sees it there and ends it in the list', async ({
  openPage: page,
  testWebs,
}) => {
  const mark = uniqueMark()
  const { id } = await testWebs.add({ fqdn: `${mark}.test`, customer: mark.toUpperCase() })
  await visit(page, `/hosting/show/${id}`)
  await page.getByRole('link', { name: 'Plan maintenance' }).click()
  const dialog = page.getByRole('dialog', { name: 'Plan maintenance' })
  await expect(dialog.getByText(`${mark}.test`)).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Reason' }).fill(`Kernel ${mark}`)
  // In the past, so that it begins now.
  await dialog.getByLabel('Start').fill('2026-01-01T10:00')
  await dialog.getByRole('button', { name: 'Plan maintenance' }).click()
  await expect(page.getByText(`Kernel ${mark}: planned`)).toBeVisible()

  await visit(page, `/hosting/show/${id}`)
  await expect(page.getByText(/^in maintenance until/).first()).toBeVisible()
  await page.getByRole('link', { name: `Kernel ${mark}` }).click()
  await page.getByRole('button', { name: /^Actions: / }).click()
  await page.getByRole('menuitem', { name: 'End now' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'End now' }).click()
  await expect(page.getByRole('grid').getByText('past')).toBeVisible()

  await visit(page, `/hosting/show/${id}`)
  await expect(page.getByText('Nothing planned.')).toBeVisible()
  await expect(page.getByText(/^in maintenance until/)).toHaveCount(0)
})

test('finds customers of a window by their name, and takes one with Enter', async ({
  openPage: page,
  testWebs,
}) => {
  const mark = uniqueMark()
  const customer = mark.toUpperCase()
  await testWebs.add({ customer })
  const headers = await token(page.request)
  const renamed = await page.request.put(`/api/customers/${customer}`, {
    headers,
    data: { name: `Hotel Post ${mark}` },
  })
  expect(renamed.status()).toBe(204)
  await visit(page, '/queue')
  await expect(page.getByRole('heading', { name: 'Queue', level: 1 })).toBeVisible()
  const filled = Promise.withResolvers<void>()
  await page.route('**/api/customers', async (route) => {
    await filled.promise
    await route.continue()
  })
  await visit(page, '/monitoring/maintenance')
  await page.getByRole('button', { name: 'Plan maintenance' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Plan maintenance' })
  const name = { name: 'All webs of customers', exact: true }
  const customers = dialog.getByRole('textbox', name).or(dialog.getByRole('combobox', name))
  await customers.fill(`post ${mark}`)
  filled.resolve()
  const found = page.getByRole('option', { name: `${customer} Hotel Post ${mark}` })
  await expect(found).toBeVisible()
  await customers.press('Enter')
  await expect(dialog.getByText(customer, { exact: true })).toBeVisible()
  await expect(found).toHaveCount(0)
  const answer = (name: string) => page.getByRole('button', { name, exact: true }).click()
  await page.keyboard.press('Escape')
  await answer('Stay')
  // The form is no step of the browser's history, so that Back asks and leads to the screen before.
  await page.goBack()
  await answer('Stay')
  await expect(dialog.getByText(customer, { exact: true })).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await answer('Leave')
  await expect(dialog).toHaveCount(0)
  await page.goBack()
  await expect(page).toHaveURL(/\/queue$/)
})
