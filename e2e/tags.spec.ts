import type { Page } from '@playwright/test'
import { storageStateOf } from './harness/global-setup.ts'
import { administrator, token } from './harness/seeded-users.ts'
import { expect, test, uniqueMark } from './harness/test.ts'
import { visit } from './harness/visit.ts'
import { readWorkbook } from './harness/xlsx.ts'

test.use({ storageState: async ({ storageState: _ }, use) => use(storageStateOf(administrator)) })

const rows = (page: Page) =>
  page
    .getByRole('grid')
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader') })

test('tags many webs in a batch with a new tag, filters by it, exports, and renames it', async ({
  openPage: page,
  testWebs,
}) => {
  const mark = uniqueMark()
  const tag = `job-${mark}`
  for (let index = 0; index < 20; index++)
    await testWebs.add({ fqdn: `${mark}-${index}.test`, customer: mark.toUpperCase() })
  await visit(page, `/hosting?q=${mark}`)
  await expect(rows(page)).toHaveCount(20)
  await page.getByRole('checkbox', { name: 'Select all rows on this page' }).click()
  await page.getByRole('toolbar').getByRole('button', { name: 'Edit' }).click()
  const drawer = page.getByRole('dialog', { name: 'Edit 20 webs' })
  await drawer.getByRole('combobox', { name: 'Add tags' }).fill(`${tag}: gold`)
  await page.getByRole('option', { name: `Create tag “${tag}:gold”` }).click()
  await expect(drawer.getByRole('button', { name: `Remove ${tag}:gold` })).toBeVisible()
  await drawer.getByRole('button', { name: 'Check and apply…' }).click()
  await page
    .getByRole('dialog', { name: 'Edit · 20 webs' })
    .getByRole('button', { name: 'Edit', exact: true })
    .click()
  await page.getByRole('button', { name: 'Show batch' }).click()
  await expect(page.getByRole('status').filter({ hasText: '20 of 20 succeeded' })).toBeVisible({
    timeout: 30_000,
  })
  await expect(page.getByText(`Tags added: ${tag}:gold`)).toBeVisible()

  // From the catalogue to the webs that carry it.
  await visit(page, `/tags?q=${mark}`)
  await rows(page).getByRole('link', { name: '20' }).click()
  await expect(page).toHaveURL(/\/hosting\?f\.tags=/)
  await expect(rows(page)).toHaveCount(20)
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Tags' }).click()
  await page.keyboard.press('Escape')
  await expect(rows(page).first()).toContainText(`${tag}:gold`)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export XLS' }).click(),
  ])
  const { rows: exported } = await readWorkbook(await download.path())
  expect(exported.filter((row) => row.includes(`${tag}:gold`))).toHaveLength(20)

  await visit(page, `/tags?q=${mark}`)
  await page.getByRole('button', { name: /^Actions: / }).click()
  await page.getByRole('menuitem', { name: 'Edit', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: `Edit ${tag}` })
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill(`done-${mark}`)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(`done-${mark}: saved`)).toBeVisible()
  const { data } = await (await page.request.get('/api/webs')).json()
  const carried = data
    .filter(({ fqdn }: { fqdn: string }) => fqdn.startsWith(mark))
    .map(({ tags }: { tags: string[] }) => String(tags))
  expect(new Set(carried)).toEqual(new Set([`done-${mark}:gold`]))
  const [known] = (await (await page.request.get('/api/tags')).json()).filter(
    ({ name }: { name: string }) => name === `done-${mark}`,
  )
  await page.request.delete(`/api/tags/${known.id}`, { headers: await token(page.request) })
})
