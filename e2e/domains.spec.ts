import type { Page } from '@playwright/test'
import { administrator, type Person, people, signInAs, token } from './harness/people.ts'
import { sessionOf } from './harness/system.ts'
import { expect, test, uniqueMark } from './harness/test.ts'

test.use({ storageState: async ({ storageState: _ }, use) => use(sessionOf(administrator)) })

const grid = (page: Page) => page.getByRole('grid')
const rowOf = (page: Page, fqdn: string) => grid(page).getByRole('row').filter({ hasText: fqdn })
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 })
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const lines = (page: Page) => page.getByRole('region', { name: 'Lines' })
const verdict = (page: Page, typed: string) =>
  lines(page)
    .getByRole('button')
    .filter({ has: page.getByText(typed, { exact: true }) })
const submit = (page: Page) => page.getByRole('button', { name: /^Add (one|[\d,]+) domains?$/ })

async function openForm(page: Page) {
  await page.goto('/limitis/externaldomains/add')
  await expect(heading(page, 'Add external domains')).toBeVisible()
  await field(page, 'Customer').fill('WALKER')
  await field(page, 'Domain provider').fill('Aruba')
}

/** As people do it: typing thousands of lines is another matter. */
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

test('pasted lines are judged, added one by one, changed and deleted', async ({ page }) => {
  const mark = uniqueMark()
  await openForm(page)
  await paste(page, [`${mark}-a.test`, `${mark}-müller.test`, `${mark}-MÜLLER.test`, 'two words'].join('\n'))
  await expect(lines(page).getByText('2 new · 1 known · 1 wrong')).toBeVisible()
  await expect(verdict(page, `${mark}-MÜLLER.test`)).toContainText('Stands on line 2 already')
  await expect(verdict(page, 'two words')).toContainText('without spaces or commas')

  await submit(page).click()
  await expect(page.getByText('2 domains: added')).toBeVisible()
  // What was added leaves; what was not stays, and is not lost by a stray click.
  await expect(field(page, 'FQDNs')).toHaveValue(`${mark}-MÜLLER.test\ntwo words`)
  await expect(verdict(page, `${mark}-MÜLLER.test`)).toContainText('Is in the list already')
  await page.getByRole('link', { name: 'To the external domains' }).click()
  await expect(page.getByRole('dialog')).toContainText('Your changes have not been saved')
  await page.getByRole('button', { name: 'Stay' }).click()
  await page.getByRole('button', { name: 'Remove known lines' }).click()
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
  await expect(dialog.getByText('This domain is in the list of external domains already.')).toBeVisible()
  await dialog.getByRole('textbox', { name: 'FQDN' }).fill(`${mark}-d.test`)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(`${mark}-d.test: saved`)).toBeVisible()
  await expect(rowOf(page, `${mark}-d.test`)).toContainText('WALKER')

  await choose(page, `${mark}-d.test`, 'Delete')
  await expect(page.getByRole('dialog')).toContainText('Are you sure to delete this record?')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText(`${mark}-d.test: deleted`)).toBeVisible()
  await expect(rowOf(page, `${mark}-d.test`)).toHaveCount(0)
})

test('what a colleague has changed meanwhile is not written over', async ({ page, baseURL, complaints }) => {
  const mark = uniqueMark()
  const api = await signInAs(administrator, baseURL ?? '')
  const domain = { fqdn: `${mark}-a.test`, customer: 'WALKER', domainprovider: 'Registro.it' }
  const { id } = await (
    await api.post('/api/externalDomains', { headers: await token(api), data: domain })
  ).json()
  await page.goto(`/limitis/externaldomains/list?q=${mark}`)
  await choose(page, domain.fqdn, 'Edit')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Customer' }).fill('MINE')
  const theirs = { ...domain, domainprovider: 'Theirs' }
  const put = await api.put(`/api/externalDomains/${id}`, { headers: await token(api), data: theirs })
  expect(put.status()).toBe(204)

  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('alert')).toContainText(`${administrator.email} has changed this domain at`)
  await dialog.getByRole('button', { name: 'Load the newest' }).click()
  await expect(dialog.getByRole('textbox', { name: 'Domain provider' })).toHaveValue('Theirs')
  await expect(dialog.getByRole('textbox', { name: 'Customer' })).toHaveValue('MINE')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(`${domain.fqdn}: saved`)).toBeVisible()
  await expect(rowOf(page, domain.fqdn)).toContainText('MINE')
  // The browser tells of the refusal by itself.
  expect(complaints.splice(0).every((said) => said.includes('409'))).toBe(true)
  await api.dispose()
})

test('what the server refuses stays with its sentence, and an outage loses nothing', async ({
  page,
  baseURL,
  complaints,
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
  await expect(alert).toContainText('The server cannot be reached.')
  await expect(alert).toContainText('One domain was added and has left the field.')
  await expect(field(page, 'FQDNs')).toHaveValue(`${own}\n${mark}-b.test`)
  await expect(verdict(page, own)).toContainText('This domain is one of our own')

  await page.unroute('**/api/externalDomains')
  await alert.getByRole('button', { name: 'Try again' }).click()
  await expect(field(page, 'FQDNs')).toHaveValue(own)
  // It would be refused again: it is told of, and not offered.
  await expect(verdict(page, own)).toContainText('This domain is one of our own')
  await expect(page.getByRole('button', { name: 'Add domains', exact: true })).toBeDisabled()
  // The browser tells of the lost connection by itself.
  expect(complaints.splice(0).every((said) => said.includes('ERR_INTERNET_DISCONNECTED'))).toBe(true)

  const api = await signInAs(administrator, baseURL ?? '')
  const listed: { id: number; fqdn: string }[] = await (await api.get('/api/externalDomains')).json()
  expect(listed.filter(({ fqdn }) => fqdn.startsWith(mark)).map(({ fqdn }) => fqdn)).toHaveLength(2)
  await api.dispose()
})

test('a thousand pasted lines leave the browser free', async ({ page }) => {
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

test('the registrar’s lists are there to be read', async ({ page }) => {
  await page.goto('/limitis')
  await expect(page).toHaveURL(/\/limitis\/alldomains$/)
  await expect(grid(page).getByRole('rowheader').first()).toBeVisible()
  await expect(page.getByRole('link', { name: 'Create' })).toBeVisible()
  await page.getByRole('navigation').getByRole('link', { name: 'Own domains' }).click()
  await expect(heading(page, 'Own domains')).toBeVisible()
  await expect(grid(page).getByRole('rowheader').first()).toBeVisible()
  await expect(page.getByRole('link', { name: 'Create' })).toHaveCount(0)
  await page.getByRole('navigation').getByRole('link', { name: 'Emails' }).click()
  await expect(grid(page).getByRole('gridcell').filter({ hasText: '@' }).first()).toBeVisible()
})

const projectManagement = people.find(({ role }) => role === 'project management') as Person

test.describe('who may see external domains alone', () => {
  test.use({ storageState: async ({ storageState: _ }, use) => use(sessionOf(projectManagement)) })

  test('has that half of the list, and no error', async ({ page }) => {
    await page.goto('/limitis/alldomains')
    await expect(grid(page).getByRole('rowheader').first()).toBeVisible()
    await expect(grid(page).getByRole('gridcell', { name: 'external', exact: true }).first()).toBeVisible()
    await expect(grid(page).getByRole('gridcell', { name: 'own', exact: true })).toHaveCount(0)
    await expect(page.getByRole('main').getByRole('alert')).toHaveCount(0)
    const navigation = page.getByRole('navigation', { name: 'Main navigation' })
    for (const name of ['Own domains', 'Emails'])
      await expect(navigation.getByRole('link', { name, exact: true })).toHaveCount(0)
  })
})
