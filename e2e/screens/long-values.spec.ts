import { administrator } from '../harness/people.ts'
import { sessionOf } from '../harness/system.ts'
import { expect, test } from '../harness/test.ts'
import { look } from './look.ts'
import { row } from './table.ts'

test.use({
  storageState: async ({ storageState: _ }, use) => use(sessionOf(administrator)),
  viewport: { width: 390, height: 844 },
})

test('very long values stay inside the page', async ({ page, inventory }) => {
  const label = 'x'.repeat(60)
  const web = await inventory.add({
    fqdn: `${crypto.randomUUID()}.${label}.${label}.${label}.test`,
    customer: 'Ä'.repeat(255),
    comment: 'Überlänge'.repeat(222),
  })
  const seen = (name: string) => look(page, { name: `long-${name}`, width: 390 }, 'light')
  await page.goto(`/hosting?q=${web.fqdn}&sets=customer,comment`)
  await expect(row(page)).toBeVisible()
  await seen('list')
  await page.goto(`/hosting/show/${web.id}`)
  await expect(page.getByRole('region', { name: 'Facts' })).toContainText('Überlänge')
  await expect(page.locator('.mantine-Skeleton-root')).toHaveCount(0)
  await seen('web')
  await page.getByRole('button', { name: 'Search or jump to…' }).click()
  await page.getByRole('combobox', { name: 'Search webs' }).fill(web.fqdn)
  await expect(page.getByRole('option').first()).toContainText(web.fqdn)
  await page.keyboard.press('Enter')
  await seen('palette')
  await page.keyboard.press('Escape')
  await page.goto(`/hosting/edit/${web.id}`)
  await expect(page.getByRole('button', { name: 'Save' })).toBeVisible()
  await seen('edit')
  await page.goto(`/monitoring/webs/show/${web.id}/${web.fqdn}`)
  await expect(page.getByRole('main')).toContainText(web.fqdn)
  await expect(page.getByText('Nothing is known yet')).toBeVisible()
  await seen('uptime')
})
