import { queryConsole } from './harness/database.ts'
import { storageStateOf } from './harness/global-setup.ts'
import { administrator, token } from './harness/seeded-users.ts'
import { expect, test, uniqueMark } from './harness/test.ts'
import { visit } from './harness/visit.ts'

test.use({ storageState: async ({ storageState: _ }, use) => use(storageStateOf(administrator)) })

test('a field for the customer completes codes and names, and takes a new code', async ({
  openPage: page,
  testWebs,
}) => {
  const mark = uniqueMark()
  const known = await testWebs.add({ customer: `ALPEN ${mark}` })
  await visit(page, `/hosting/edit/${known.id}`)
  const customer = page.getByRole('combobox', { name: 'Customer', exact: true })
  await expect(customer).toHaveValue(known.customer)
  await customer.fill(mark)
  await page.getByRole('option', { name: known.customer }).click()
  await expect(customer).toHaveValue(known.customer)
  await customer.fill(`BERG ${mark}`)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText(`${known.fqdn}: saved`)).toBeVisible()
  await visit(page, `/hosting/show/${known.id}`)
  // The new code is a customer at once.
  await page.getByRole('link', { name: `BERG ${mark}` }).click()
  await expect(page.getByRole('heading', { name: `BERG ${mark}`, level: 1 })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Webs', exact: true })).toContainText(known.fqdn)
})

test('a customer’s notes are saved and appear in its timeline, and the palette finds it by name', async ({
  openPage: page,
  testWebs,
}) => {
  const mark = uniqueMark()
  const { customer } = await testWebs.add({ customer: `ALPEN ${mark}` })
  await visit(page, `/customers/${encodeURIComponent(customer)}`)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill(`Hotel ${mark}`)
  await dialog.getByRole('textbox', { name: 'Notes' }).fill('Pays late')
  await dialog.getByRole('checkbox', { name: 'Telegram' }).check()
  await dialog.getByRole('button', { name: 'Add contact' }).click()
  await dialog.getByRole('textbox', { name: 'Name' }).last().fill('Anna Berger')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'Facts' })).toContainText('Anna Berger')
  const timeline = page.getByRole('region', { name: 'Timeline' })
  await expect(timeline).toContainText('Pays late')
  await expect(timeline).toContainText(`by ${administrator.email}`)

  await page.getByRole('button', { name: 'Search or jump to…' }).click()
  await page.getByRole('combobox', { name: 'Search webs' }).fill(`hotel ${mark}`)
  await page.getByRole('option', { name: customer }).click()
  await expect(page.getByRole('heading', { name: `${customer} · Hotel ${mark}`, level: 1 })).toBeVisible()
})

test('everything of one customer, from its page to a node’s page and back', async ({
  openPage: page,
  testWebs,
}) => {
  const node = 'bz-cloud-01'
  const framework = { framework_name: 'TYPO3', framework_version: '8.7.32' }
  const web = await testWebs.add({ customer: `ALPEN ${uniqueMark()}`, node, ...framework, comment: 'Before' })
  const headers = await token(page.request)
  // A re-scan of the new web, which is due anyway, stores the certificate that the sandbox answers with.
  await page.request.post(`/api/request/refreshWeb/${web.id}`, { headers })
  const listEnded = () =>
    queryConsole('select id from inspections where web_id = $1 and ended_at is not null', web.id)
  await expect.poll(async () => (await listEnded()).length).toBe(1)
  await queryConsole(
    `update webs set status = 0, cert_from = null, cert_expiration = now() + interval '20 days 1 hour' where id = $1`,
    web.id,
  )
  await testWebs.change(web, { comment: 'After' })
  const region = (name: string) => page.getByRole('region', { name, exact: true })
  const isCustomer = () => expect(page.getByRole('heading', { name: web.customer, level: 1 })).toBeVisible()

  const fqdn = `${uniqueMark()}.test`
  const added = await page.request.post('/api/externalDomains', {
    headers,
    data: { fqdn, customer: web.customer, domainprovider: 'Elsewhere' },
  })

  await visit(page, `/customers/${encodeURIComponent(web.customer)}`)
  await isCustomer()
  await region('External domains').getByRole('link', { name: fqdn }).click()
  await expect(page.getByRole('heading', { name: fqdn, level: 1 })).toBeVisible()
  await page.goBack()
  await isCustomer()
  await page.request.delete(`/api/externalDomains/${(await added.json()).id}`, { headers })
  await expect(region('Certificates expiring soon')).toContainText(`${web.fqdn}20 days`)
  const attention = region('Needs attention')
  await expect(attention).toContainText('TYPO3 8.7.32, supported until 2024/03/31')
  await attention.getByRole('button', { name: `Acknowledge: ${web.fqdn}` }).click()
  await expect(attention).not.toContainText(web.fqdn)

  await region('Webs').getByRole('link', { name: node }).click()
  await expect(page.getByRole('heading', { name: node, level: 1 })).toBeVisible()
  await expect(region('Facts')).toContainText('allowed')
  await expect(region('Software')).toContainText('TYPO3 8')
  await expect(region('Deployments')).toBeVisible()
  await expect(region('Timeline')).toContainText(web.fqdn)
  // At first only some webs of a node are shown.
  const all = region('Webs').getByRole('button', { name: 'Show all' })
  if (await all.isVisible()) await all.click()
  await region('Webs')
    .getByRole('row')
    .filter({ hasText: web.fqdn })
    .getByRole('link', { name: web.customer })
    .click()
  await isCustomer()

  await region('Webs').getByRole('link', { name: web.fqdn }).click()
  await expect(page.getByRole('definition').filter({ hasText: node }).getByRole('link')).toHaveAttribute(
    'href',
    `/nodes/${node}`,
  )
  const history = page.getByRole('listitem').filter({ hasText: 'After' }).filter({ hasText: 'Revert' })
  await history.getByRole('button', { name: 'Revert this change…' }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revert', exact: true }).click()
  await expect(page.getByText(`${web.fqdn}: reverted`)).toBeVisible()
  await expect(page.locator('a:focus')).toHaveText(/^Reverted by entry \d+$/)
  await expect(page.getByRole('definition').filter({ hasText: /^Before$/ })).toBeVisible()
})

test('a spelling is merged into another customer after a preview', async ({ openPage: page, testWebs }) => {
  const mark = uniqueMark()
  const [right, wrong] = [`MÜLLER ${mark}`, `Müller ${mark}`]
  await testWebs.add({ customer: right })
  const web = await testWebs.add({ customer: wrong })
  await visit(page, `/customers/${encodeURIComponent(wrong)}`)
  await page.getByRole('button', { name: 'Merge…' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('1 web:')
  await expect(dialog).toContainText(web.fqdn)
  await dialog.getByRole('combobox', { name: 'Merge into' }).fill('NOBODY')
  await dialog.getByRole('button', { name: 'Merge', exact: true }).click()
  await expect(dialog).toContainText('The customer NOBODY was not found.')
  await dialog.getByRole('combobox', { name: 'Merge into' }).fill(right)
  await dialog.getByRole('button', { name: 'Merge', exact: true }).click()
  await expect(page.getByRole('heading', { name: right, level: 1, exact: true })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Webs', exact: true })).toContainText(web.fqdn)
  await expect(page.getByRole('region', { name: 'Facts' })).toContainText(wrong)
})

test.describe('a user without the permission', () => {
  test.use({ storageState: { cookies: [], origins: [] } })

  test('sees the customer of a web, but no link', async ({ page, testUsers, testWebs }) => {
    const web = await testWebs.add()
    const user = await testUsers.add({ permissions: ['view webs'] })
    await testUsers.signIn(page, user, `/hosting/show/${web.id}`)
    await expect(page.getByRole('definition').filter({ hasText: web.customer })).toBeVisible()
    await expect(page.getByRole('link', { name: web.customer, exact: true })).toHaveCount(0)
  })
})
