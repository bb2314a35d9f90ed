import type { Page } from '@playwright/test'
import { noContractSettings } from '../packages/contract/src/tracking-contracts/states.ts'
import { internalMarker, storageStateOf } from './harness/global-setup.ts'
import { administrator, readOnly } from './harness/seeded-users.ts'
import { expect, test, uniqueMark } from './harness/test.ts'
import { visit } from './harness/visit.ts'
import { readWorkbook } from './harness/xlsx.ts'

test.use({ storageState: async ({ storageState: _ }, use) => use(storageStateOf(administrator)) })

const grid = (page: Page) => page.getByRole('grid')
const header = (page: Page, name: string) => grid(page).getByRole('columnheader', { name })
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 })

interface Listed {
  readonly id: number
  readonly fqdn: string
  readonly status: number | null
  readonly domain_status: number | null
}

async function listedWebs(page: Page): Promise<readonly Listed[]> {
  const { data } = await (await page.request.get('/api/webs')).json()
  const online = data.filter((web: Listed) => web.status === 0 && web.domain_status === 1)
  const listed = online.filter(({ fqdn }: Listed) => !fqdn.includes(internalMarker))
  expect(listed.length).toBe(online.length - 1)
  return listed
}

test('lists online webs, remembers columns and exports the visible list', async ({ page }) => {
  await page.goto('/hosting/tracking')
  await expect(grid(page).getByRole('rowheader').first()).toBeVisible()
  await expect(header(page, 'Google Analytics').first()).toBeVisible()
  await expect(header(page, 'Usercentrics')).toHaveCount(0)
  const count = (await listedWebs(page)).length
  await expect(page.getByText(new RegExp(`of ${count}$`))).toBeVisible()

  await page.getByRole('button', { name: 'Columns' }).click()
  for (const name of ['Usercentrics', 'Google']) await page.getByRole('menuitemcheckbox', { name }).click()
  await page.keyboard.press('Escape')
  await expect(header(page, 'Usercentrics').first()).toBeVisible()
  await page.goto('/hosting/tracking')
  await expect(header(page, 'Usercentrics').first()).toBeVisible()
  await expect(header(page, 'Google Analytics')).toHaveCount(0)
  expect(await page.evaluate(() => localStorage.getItem('trackingListColumnSet'))).toBe(
    '["matomo","usercentrics"]',
  )

  const [web] = await listedWebs(page)
  await page.getByRole('searchbox', { name: 'Search all visible columns' }).fill(web?.fqdn ?? '')
  await expect(page.getByText('1–1 of 1')).toBeVisible()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export XLS' }).click(),
  ])
  const { rows } = await readWorkbook(await file.path())
  expect(rows).toHaveLength(2)
  expect(rows[0]).toContain('Usercentrics')
  expect(rows[1]).toContain(web?.fqdn)
})

test('requests an audit and shows its findings', async ({ openPage: page }) => {
  // This web of the sandbox loads nearly every service.
  const web = (await listedWebs(page)).find(({ fqdn }) => fqdn === 'www.hotel-rosengarten.test')
  if (web === undefined) throw new Error('The sandbox has other webs')
  await visit(page, `/hosting/tracking?q=${web.fqdn}`)
  await grid(page)
    .getByRole('button', { name: `Actions: ${web.fqdn}` })
    .click()
  await page.getByRole('menuitem', { name: 'Run audit', exact: true }).click()
  await expect(page.getByText(`${web.fqdn}: tracking audit requested`)).toBeVisible()
  await page.getByRole('button', { name: 'Show tracking' }).click()

  await expect(page).toHaveURL(new RegExp(`/hosting/tracking/${web.id}\\?inspection=\\d+$`))
  await expect(heading(page, 'Tracking')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Latest audit' })).toBeVisible({ timeout: 25_000 })
  const found = page.getByRole('region', { name: 'Results' })
  const manager = found.getByRole('group').filter({ hasText: 'Usercentrics' })
  await expect(manager.getByText('version 2')).toBeVisible()
  await manager.getByText('Usercentrics', { exact: true }).click()
  await expect(manager.getByRole('list', { name: 'Evidence' })).toContainText('data-settings-id=')
  const { data } = await (await page.request.get(`/api/webs/${web.id}/tracking`)).json()
  const audits = page.getByRole('region', { name: 'Audits', exact: true })
  await expect(audits.getByRole('row')).toHaveCount(data.length + 1)
  await expect(audits.getByText('shown above')).toBeVisible()
  const [report] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Report (HTML)' }).click(),
  ])
  expect(report.suggestedFilename()).toMatch(/^tracking-report-www\.hotel-rosengarten\.test-[\d-]+\.html$/)
  await page.getByRole('main').getByRole('link', { name: 'Tracking' }).click()
  // The list is unchanged.
  await expect(page.getByText('1–1 of 1')).toBeVisible()
})

test('shows services that an audit saw without consent', async ({ openPage: page }) => {
  // This web of the sandbox contacts Google before a choice and Facebook after a refusal.
  const web = (await listedWebs(page)).find(({ fqdn }) => fqdn === 'www.bergbahnen-ahrntal.test')
  if (web === undefined) throw new Error('The sandbox has other webs')
  // Has an older audit, too, which contacted a host that nobody has classified.
  await page.route(`**/api/webs/${web.id}/tracking`, async (route) => {
    const { data } = await (await route.fetch()).json()
    const [latest] = data
    const asked = latest?.visit?.asked.map((request: object) => ({
      ...request,
      host: 'cdn.polyfill.io',
      verdict: 'review',
    }))
    const older = {
      ...latest,
      id: 1,
      audited_at: '2026-01-01T00:00:00.000Z',
      visit: asked ? { ...latest.visit, asked } : null,
    }
    await route.fulfill({ json: { data: latest ? [...data, older] : data } })
  })
  await visit(page, `/hosting/tracking/${web.id}`)
  await page.getByRole('button', { name: 'Run audit', exact: true }).click()
  await expect(page.getByText(/opened in a browser/)).toBeVisible({ timeout: 50_000 })
  const inBrowser = page.getByRole('region', { name: 'In the browser' })
  await expect(inBrowser.getByText('Tracking without consent')).toBeVisible()
  await expect(inBrowser.getByText('Before consent: Google Analytics')).toBeVisible()
  await expect(inBrowser.getByText('After refusal: Facebook Ads')).toBeVisible()
  const facebook = inBrowser
    .getByRole('group')
    .filter({ hasText: 'Facebook Ads' })
    .filter({ hasText: 'without consent' })
  await facebook.getByText('Facebook Ads').click()
  await expect(facebook.getByText(/^https:\/\/www\.facebook\.com\/tr\/\?id=\d+/)).toBeVisible()
  const audits = page.getByRole('region', { name: 'Audits', exact: true })
  await expect(audits.getByText('browser', { exact: true }).first()).toBeVisible()
  // The request stays in the address, so that a failure would still be shown.
  await audits.getByRole('link', { name: /^2026\/01\/01/ }).click()
  await expect(page).toHaveURL(/\?inspection=\d+&audit=1$/)
  await inBrowser.getByText('needs review').first().click()
  await inBrowser.getByRole('link', { name: 'Classify this host' }).first().click()
  await expect(page).toHaveURL(/\/hosting\/third-parties\?q=cdn\.polyfill\.io$/)

  await visit(page, '/hosting/tracking')
  await page.getByRole('switch', { name: /^Only tracking without consent \([1-9]\d*\)$/ }).click()
  const row = grid(page).getByRole('row').filter({ hasText: web.fqdn })
  await expect(row.getByText('Google Analytics', { exact: true })).toBeVisible()
  await expect(row.getByText('Facebook Ads (after refusal or withdrawal)')).toBeVisible()
})

test('leads from a web without a contract to the draft of its customer’s', async ({
  openPage: page,
  testWebs,
}) => {
  const web = await testWebs.add({ customer: `ALPEN ${uniqueMark()}` })
  await visit(page, `/hosting/tracking/${web.id}`)
  await page.getByRole('link', { name: `Draft one for ${web.customer}` }).click()
  await expect(heading(page, web.customer)).toBeVisible()
  await expect(page.getByText('None of its webs has a successful audit yet.')).toBeVisible()
  await expect(page).not.toHaveURL(/draft/)
})

test('offers an own value of a contract again after someone else has taken the field out of it', async ({
  page,
  testWebs,
}) => {
  const web = await testWebs.add()
  const withTool = (consent_tool: string | null, updated_at: string) => ({
    own: { ...noContractSettings, consent_tool },
    effective: noContractSettings,
    customer: web.customer,
    updated_at,
  })
  let latest = withTool('Klaro', '2026-01-01T00:00:00.000Z')
  let saved: unknown
  await page.route(`**/api/webs/${web.id}/contract`, (route) => {
    if (route.request().method() === 'GET') return route.fulfill({ json: latest })
    saved = route.request().postDataJSON()
    return route.fulfill({ status: 409, json: { message: 'It has changed.' } })
  })
  await page.goto(`/hosting/tracking/${web.id}`)
  await page.getByRole('button', { name: 'Edit for this web' }).click()
  const dialog = page.getByRole('dialog')
  const tool = dialog.getByLabel('Name', { exact: true })
  const save = dialog.getByRole('button', { name: 'Save' })
  await tool.fill('Usercentrics')
  await save.click()
  latest = withTool(null, '2026-01-02T00:00:00.000Z')
  await dialog.getByRole('button', { name: 'Load latest' }).click()
  await expect(tool).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Use mine' }).click()
  await expect(tool).toHaveValue('Usercentrics')
  await save.click()
  await expect
    .poll(() => saved)
    .toMatchObject({ consent_tool: 'Usercentrics', updated_at: '2026-01-02T00:00:00.000Z' })
})

test('shows that a web does not exist', async ({ openPage: page }) => {
  await visit(page, '/hosting/tracking/999999')
  await expect(page.getByText('Web 999999 doesn’t exist')).toBeVisible()
})

test.describe('a user with read-only permissions', () => {
  test.use({ storageState: async ({ storageState: _ }, use) => use(storageStateOf(readOnly)) })

  test('cannot request an audit', async ({ openPage: page }) => {
    const [web] = await listedWebs(page)
    await visit(page, '/hosting/tracking')
    await grid(page)
      .getByRole('button', { name: `Actions: ${web?.fqdn}` })
      .click()
    await expect(page.getByRole('menuitem', { name: 'Show tracking' })).toBeVisible()
    await expect(page.getByRole('menuitem', { name: 'Run audit' })).toHaveCount(0)
    await expect(grid(page).getByRole('checkbox')).toHaveCount(0)
    await page.getByRole('menuitem', { name: 'Show tracking' }).click()
    await expect(heading(page, 'Tracking')).toBeVisible()
    await expect(page.getByText(web?.fqdn ?? '', { exact: true }).first()).toBeVisible()
    await expect(page.getByRole('button', { name: 'Run audit' })).toHaveCount(0)
  })
})
