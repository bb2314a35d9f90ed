import type { Page } from '@playwright/test'
import { storageStateOf } from './harness/global-setup.ts'
import { administrator, type SeededUser, seededUsers, signInAs, token } from './harness/seeded-users.ts'
import { expect, test, uniqueMark } from './harness/test.ts'
import { visit } from './harness/visit.ts'

test.use({ storageState: async ({ storageState: _ }, use) => use(storageStateOf(administrator)) })

const grid = (page: Page) => page.getByRole('grid')
const rowOf = (page: Page, fqdn: string) => grid(page).getByRole('row').filter({ hasText: fqdn })
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 })
/** A plain field, or one that suggests what is known. */
const field = (page: Page, name: string) =>
  page.getByRole('textbox', { name, exact: true }).or(page.getByRole('combobox', { name, exact: true }))
const lines = (page: Page) => page.getByRole('region', { name: 'Lines' })
const verdict = (page: Page, typed: string) =>
  lines(page)
    .getByRole('button')
    .filter({ has: page.getByText(typed, { exact: true }) })
const submit = (page: Page) => page.getByRole('button', { name: /^Add (one|[\d,]+) domains?$/ })

async function openForm(page: Page) {
  await visit(page, '/limitis/externaldomains/add')
  await expect(heading(page, 'Add external domains')).toBeVisible()
  await field(page, 'Customer').fill('TESTER')
  await field(page, 'Domain provider').fill('Aruba')
}

/** Pastes text, because typing thousands of lines takes too long. */
async function paste(page: Page, text: string) {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text)
  await field(page, 'FQDNs').focus()
  await page.keyboard.press('ControlOrMeta+V')
}

async function choose(page: Page, fqdn: string, action: string) {
  await grid(page)
    .getByRole('button', { name: `Actions: ${fqdn}` })
    .click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

test('checks pasted lines, adds them one by one, changes and deletes them', async ({ openPage: page }) => {
  const mark = uniqueMark()
  await openForm(page)
  await paste(page, [`${mark}-a.test`, `${mark}-müller.test`, `${mark}-MÜLLER.test`, 'two words'].join('\n'))
  await expect(lines(page).getByText('2 new · 1 duplicate · 1 invalid')).toBeVisible()
  await expect(verdict(page, `${mark}-MÜLLER.test`)).toContainText('Duplicate of line 2')
  await expect(verdict(page, 'two words')).toContainText('without spaces or commas')

  await submit(page).click()
  await expect(page.getByText('2 domains: added')).toBeVisible()
  // Added lines disappear; the others stay and are kept unless leaving is confirmed.
  await expect(field(page, 'FQDNs')).toHaveValue(`${mark}-MÜLLER.test\ntwo words`)
  await expect(verdict(page, `${mark}-MÜLLER.test`)).toContainText('Already in the list')
  await page.getByRole('main').getByRole('link', { name: 'External domains' }).click()
  await expect(page.getByRole('dialog')).toContainText('Your changes have not been saved')
  await page.getByRole('button', { name: 'Stay' }).click()
  await page.getByRole('button', { name: 'Remove duplicates' }).click()
  await expect(field(page, 'FQDNs')).toHaveValue('two words')
  await field(page, 'FQDNs').fill(`${mark}-c.test`)
  await page.keyboard.press('ControlOrMeta+Enter')

  await expect(heading(page, 'External domains')).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search all visible columns' }).fill(mark)
  await expect(page.getByText('1–3 of 3')).toBeVisible()
  await choose(page, `${mark}-c.test`, 'Edit')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'FQDN' }).fill(`${mark}-a.test`)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('This domain is already in the list of external domains.')).toBeVisible()
  await dialog.getByRole('textbox', { name: 'FQDN' }).fill(`${mark}-d.test`)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(`${mark}-d.test: saved`)).toBeVisible()
  await expect(rowOf(page, `${mark}-d.test`)).toContainText('TESTER')

  await choose(page, `${mark}-d.test`, 'Delete')
  await expect(page.getByRole('dialog')).toContainText('Are you sure to delete this record?')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText(`${mark}-d.test: deleted`)).toBeVisible()
  await expect(rowOf(page, `${mark}-d.test`)).toHaveCount(0)
})

test('says what leaving stops, and goes where it was wanted once the import is done', async ({
  openPage: page,
}) => {
  const mark = uniqueMark()
  await openForm(page)
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/api/externalDomains', async (route) => {
    if (route.request().postData()?.includes(`${mark}-b`)) await released
    await route.continue()
  })
  await field(page, 'FQDNs').fill(`${mark}-a.test\n${mark}-b.test`)
  await submit(page).click()
  await page.getByRole('link', { name: 'Customers', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('1 of 2 domains are done. Leaving stops the import')
  release()
  await expect(heading(page, 'Customers')).toBeVisible()
  await expect(dialog).toBeHidden()
})

test('does not overwrite a concurrent change', async ({ openPage: page, baseURL, browserErrors }) => {
  const mark = uniqueMark()
  const api = await signInAs(administrator, baseURL ?? '')
  const domain = { fqdn: `${mark}-a.test`, customer: 'TESTER', domainprovider: 'Registro.it' }
  const { id } = await (
    await api.post('/api/externalDomains', { headers: await token(api), data: domain })
  ).json()
  await visit(page, `/limitis/externaldomains/list?q=${mark}`)
  await choose(page, domain.fqdn, 'Edit')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'Customer' }).fill('MINE')
  const theirs = { ...domain, domainprovider: 'Theirs' }
  const put = await api.put(`/api/externalDomains/${id}`, { headers: await token(api), data: theirs })
  expect(put.status()).toBe(204)

  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('alert')).toContainText(`${administrator.email} changed this domain at`)
  await dialog.getByRole('button', { name: 'Load latest' }).click()
  await expect(dialog.getByRole('textbox', { name: 'Domain provider' })).toHaveValue('Theirs')
  await expect(dialog.getByRole('combobox', { name: 'Customer' })).toHaveValue('MINE')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(`${domain.fqdn}: saved`)).toBeVisible()
  await expect(rowOf(page, domain.fqdn)).toContainText('MINE')
  // The browser logs the failed request.
  expect(browserErrors.splice(0).every((message) => message.includes('409'))).toBe(true)
  await api.dispose()
})

test('keeps rejected lines with their reasons, and all lines during an outage', async ({
  openPage: page,
  baseURL,
  browserErrors,
}) => {
  const mark = uniqueMark()
  await openForm(page)
  const own = (await (await page.request.get('/api/limitis/domains')).json())[0].fqdn
  await field(page, 'FQDNs').fill(`${own}\n${mark}-a.test\n${mark}-b.test`)
  await page.route('**/api/externalDomains', (route) =>
    route.request().postData()?.includes(`${mark}-b`)
      ? route.abort('internetdisconnected')
      : route.continue(),
  )
  await submit(page).click()
  const alert = page.getByRole('main').getByRole('alert')
  await expect(alert).toContainText('The server can’t be reached.')
  await expect(alert).toContainText('1 domain was added.')
  await expect(field(page, 'FQDNs')).toHaveValue(`${own}\n${mark}-b.test`)
  await expect(verdict(page, own)).toContainText('This is one of our own domains.')

  await page.unroute('**/api/externalDomains')
  await alert.getByRole('button', { name: 'Retry' }).click()
  await expect(field(page, 'FQDNs')).toHaveValue(own)
  // A rejected line would be rejected again, so it cannot be submitted.
  await expect(verdict(page, own)).toContainText('This is one of our own domains.')
  await expect(page.getByRole('button', { name: 'Add domains', exact: true })).toBeDisabled()
  // The browser logs the lost connection.
  expect(browserErrors.splice(0).every((message) => message.includes('ERR_INTERNET_DISCONNECTED'))).toBe(true)

  const api = await signInAs(administrator, baseURL ?? '')
  const listed: { id: number; fqdn: string }[] = await (await api.get('/api/externalDomains')).json()
  expect(listed.filter(({ fqdn }) => fqdn.startsWith(mark)).map(({ fqdn }) => fqdn)).toHaveLength(2)
  await api.dispose()
})

test('stays responsive with a thousand pasted lines', async ({ page }) => {
  await openForm(page)
  const mark = uniqueMark()
  await page.evaluate(() => {
    const spans: number[] = []
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) spans.push(duration)
    }).observe({ type: 'longtask' })
    Object.assign(window, { spans })
  })
  await paste(page, Array.from({ length: 1000 }, (_, index) => `${mark}-${index}.test`).join('\n'))
  await expect(submit(page)).toHaveText('Add 1,000 domains')
  expect(await lines(page).getByRole('listitem').count(), 'lines out of sight are not drawn').toBeLessThan(60)
  await page.keyboard.type('x')
  await expect(verdict(page, `${mark}-999.testx`)).toHaveCount(0)
  await submit(page).click()
  await expect(page.getByRole('progressbar', { name: 'Domains added' })).toBeVisible()
  await page.getByRole('button', { name: 'Stop' }).click()
  await expect(page.getByRole('main').getByRole('alert')).toContainText('Stopped')
  const longest: number = await page.evaluate(() => Math.max(0, ...Reflect.get(window, 'spans')))
  expect(longest, 'the longest task in ms').toBeLessThan(1000)
})

test('shows the lists of the registrar', async ({ openPage: page }) => {
  await visit(page, '/limitis')
  await expect(page).toHaveURL(/\/limitis\/alldomains$/)
  await expect(grid(page).getByRole('rowheader').first()).toBeVisible()
  await expect(page.getByRole('link', { name: 'Create', exact: true })).toBeVisible()
  await page.getByRole('navigation').getByRole('link', { name: 'Own domains' }).click()
  await expect(heading(page, 'Own domains')).toBeVisible()
  await expect(grid(page).getByRole('rowheader').first()).toBeVisible()
  await expect(page.getByRole('link', { name: 'Create', exact: true })).toHaveCount(0)
  await page.getByRole('navigation').getByRole('link', { name: 'Emails' }).click()
  await expect(grid(page).getByRole('rowheader').filter({ hasText: '@' }).first()).toBeVisible()
})

const projectManagement = seededUsers.find(({ role }) => role === 'project management') as SeededUser

test.describe('a user who may only view external domains', () => {
  test.use({ storageState: async ({ storageState: _ }, use) => use(storageStateOf(projectManagement)) })

  test('sees only the external domains, without errors', async ({ openPage: page }) => {
    await visit(page, '/limitis/alldomains')
    await expect(grid(page).getByRole('rowheader').first()).toBeVisible()
    await expect(grid(page).getByRole('gridcell', { name: 'external', exact: true }).first()).toBeVisible()
    await expect(grid(page).getByRole('gridcell', { name: 'own', exact: true })).toHaveCount(0)
    await expect(page.getByRole('main').getByRole('alert')).toHaveCount(0)
    const navigation = page.getByRole('navigation', { name: 'Main navigation' })
    for (const name of ['Own domains', 'Emails'])
      await expect(navigation.getByRole('link', { name, exact: true })).toHaveCount(0)
  })
})
