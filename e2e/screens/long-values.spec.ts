import { storageStateOf } from '../harness/global-setup.ts'
import { administrator } from '../harness/seeded-users.ts'
import { expect, test } from '../harness/test.ts'
import { visit } from '../harness/visit.ts'
import { checkScreen } from './check-screen.ts'
import { row } from './screens.ts'

test.use({
  storageState: async ({ storageState: _ }, use) => use(storageStateOf(administrator)),
  viewport: { width: 390, height: 844 },
})

test('very long values do not widen the page', async ({ openPage: page, testWebs }) => {
  const label = 'x'.repeat(60)
  const web = await testWebs.add({
    fqdn: `${crypto.randomUUID()}.${label}.${label}.${label}.test`,
    customer: 'Ä'.repeat(255),
    comment: 'Überlänge'.repeat(222),
  })
  const check = (name: string) => checkScreen(page, { name: `long-${name}`, width: 390 }, 'light')
  await visit(page, `/hosting?q=${web.fqdn}&sets=customer,comment`)
  await expect(row(page)).toBeVisible()
  await check('list')
  await visit(page, `/hosting/show/${web.id}`)
  await expect(page.getByRole('region', { name: 'Details' })).toContainText('Überlänge')
  await expect(page.locator('.mantine-Skeleton-root')).toHaveCount(0)
  await check('web')
  await page.getByRole('button', { name: 'Search or jump to…' }).click()
  await page.getByRole('combobox', { name: 'Search webs' }).fill(web.fqdn)
  await expect(page.getByRole('option').first()).toContainText(web.fqdn)
  await page.keyboard.press('Enter')
  await check('palette')
  await page.keyboard.press('Escape')
  await visit(page, `/hosting/edit/${web.id}`)
  await expect(page.getByRole('button', { name: 'Save' })).toBeVisible()
  await check('edit')
  await visit(page, `/monitoring/webs/show/${web.id}/${web.fqdn}`)
  await expect(page.getByRole('main')).toContainText(web.fqdn)
  await expect(page.getByText('No data yet')).toBeVisible()
  await check('uptime')
})
