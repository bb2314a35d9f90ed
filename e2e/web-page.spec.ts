import type { Page } from '@playwright/test'
import { queryConsole } from './harness/database.ts'
import { storageStateOf } from './harness/global-setup.ts'
import { retryUntil } from './harness/retry.ts'
import { administrator, readOnly } from './harness/seeded-users.ts'
import { expect, test } from './harness/test.ts'
import { visit } from './harness/visit.ts'

const section = (page: Page, name: string | RegExp) => page.getByRole('region', { name })
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 })

/** @returns the id of a web of the sandbox */
async function idOf(page: Page, fqdn: string): Promise<number> {
  const { data }: { data: readonly { id: number; fqdn: string }[] } = await (
    await page.request.get('/api/webs')
  ).json()
  const found = data.find((web) => web.fqdn === fqdn)
  if (found === undefined) throw new Error(`The sandbox has no ${fqdn}`)
  return found.id
}

test.describe('the administrator', () => {
  test.use({ storageState: async ({ storageState: _ }, use) => use(storageStateOf(administrator)) })

  test('opens the page of a web from the list', async ({ openPage: page }) => {
    const fqdn = 'www.alpenhof-latemar.test'
    await visit(page, `/hosting?q=${fqdn}`)
    await page.getByRole('grid').getByRole('link', { name: fqdn, exact: true }).click()
    await expect(heading(page, fqdn)).toBeVisible()
    await expect(page).toHaveTitle(`${fqdn} · Kustos`)
    await expect(section(page, 'Details')).toContainText('ALPENHOF')
    await expect(section(page, 'Details')).toContainText(/TYPO3 \d+/)
    await expect(
      section(page, 'Sites and aliases').getByRole('link', { name: 'alpenhof-latemar.test', exact: true }),
    ).toBeVisible()
    await expect(section(page, 'Last 90 days')).toContainText(/\d %/)
    await expect(section(page, 'Last 90 days').getByRole('img')).toHaveCount(90)
    await expect(section(page, 'Response time').getByRole('application')).toBeVisible()
    await expect(section(page, 'Incidents')).toBeVisible()
    await expect(section(page, 'Deployments')).toBeVisible()
    await expect(section(page, 'Log')).toContainText('webs: created')
    await section(page, 'Tracking').getByRole('link', { name: 'All audits' }).click()
    await expect(heading(page, 'Tracking')).toBeVisible()
    await page.getByRole('link', { name: fqdn, exact: true }).click()
    await expect(heading(page, fqdn)).toBeVisible()
    await section(page, 'Last 90 days').getByRole('link', { name: 'Daily uptime' }).click()
    await expect(heading(page, 'Daily uptime')).toBeVisible()
  })

  test('sees at once that a certificate has failed', async ({ openPage: page, testWebs }) => {
    const web = await testWebs.add()
    await visit(page, `/hosting/show/${web.id}`)
    await expect(section(page, 'Certificates')).toContainText('Not checked yet.')
    await queryConsole(
      `insert into web_certificates (web_id, name, kind, checked_at, state, wrong_since, ipv6)
        select id, fqdn, 'main', now(), 'expired', now(), 'none' from webs where id = $1`,
      web.id,
    )
    await expect(section(page, 'Certificates')).toContainText('expired')
  })

  test('sees changes of other users with their names and the old values', async ({
    openPage: page,
    testWebs,
  }) => {
    const web = await testWebs.add({ customer: 'BEFORE' })
    await visit(page, `/hosting/show/${web.id}`)
    await expect(section(page, 'Details')).toContainText('BEFORE')
    await testWebs.change(web, { customer: 'AFTERWARDS' })
    await expect(section(page, 'Details')).toContainText('AFTERWARDS')
    await expect(section(page, 'Log')).toContainText('BEFORE → AFTERWARDS')
    await expect(section(page, 'Log')).toContainText(`by ${administrator.email}`)
  })

  test('requests a backup and sees its deployment', async ({ openPage: page }) => {
    const fqdn = 'www.alpenhof-latemar.test'
    await visit(page, `/hosting/show/${await idOf(page, fqdn)}`)
    await page.getByRole('button', { name: 'Backup' }).click()
    await page.getByRole('dialog', { name: fqdn }).getByRole('button', { name: 'Backup' }).click()
    await expect(page.getByText(`${fqdn}: backup requested`)).toBeVisible()
    await section(page, 'Deployments').getByRole('link', { name: 'Backup' }).first().click()
    await expect(heading(page, `Backup · ${fqdn}`)).toBeVisible()
    // The name of the web leads back.
    await page.getByRole('link', { name: fqdn, exact: true }).click()
    await expect(heading(page, fqdn)).toBeVisible()
  })

  test('re-scans a web and sees the result on its page', async ({ openPage: page, testWebs }) => {
    const web = await testWebs.add()
    await visit(page, `/hosting/show/${web.id}`)
    await page.getByRole('button', { name: 'Re-scan' }).click()
    await page.getByRole('dialog', { name: web.fqdn }).getByRole('button', { name: 'Re-scan' }).click()
    await expect(page).toHaveURL(new RegExp(`/hosting/show/${web.id}\\?inspection=\\d+$`))
    // The name does not resolve.
    await expect(section(page, 'Last checked').getByText('Last attempt failed:').first()).toBeVisible({
      timeout: 25_000,
    })
  })

  test('deletes a web from its page, which then says so', async ({ openPage: page, testWebs }) => {
    const web = await testWebs.add()
    await visit(page, `/hosting/show/${web.id}`)
    await page.getByRole('button', { name: `More actions for ${web.fqdn}` }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog', { name: web.fqdn }).getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByText(`Web ${web.id} doesn’t exist`)).toBeVisible()
    await expect(section(page, 'Details')).toHaveCount(0)
    await page.getByRole('link', { name: 'Show deleted' }).click()
    await expect(heading(page, 'Deleted webs')).toBeVisible()
  })

  test('sees which section failed and retries it', async ({ page, testWebs }) => {
    const web = await testWebs.add()
    let isFailing = true
    await page.route(/\/api\/deployments\?/, (route) =>
      isFailing ? route.fulfill({ status: 403, json: { message: 'Not today.' } }) : route.continue(),
    )
    await page.goto(`/hosting/show/${web.id}`)
    const deployments = section(page, 'Deployments')
    await expect(deployments.getByRole('alert')).toContainText('Not today.')
    await expect(section(page, 'Details')).toContainText(web.customer)
    isFailing = false
    await retryUntil(deployments, () =>
      expect(deployments).toContainText('No deployments yet', { timeout: 1000 }),
    )
  })

  for (const id of ['999999', 'none'])
    test(`sees that web ${id} does not exist`, async ({ openPage: page }) => {
      await visit(page, `/hosting/show/${id}`)
      await expect(page.getByText(`Web ${id} doesn’t exist`)).toBeVisible()
      await page.getByRole('main').getByRole('link', { name: 'Webs' }).last().click()
      await expect(heading(page, 'Webs')).toBeVisible()
    })
})

test.describe('a user with read-only permissions', () => {
  test.use({ storageState: async ({ storageState: _ }, use) => use(storageStateOf(readOnly)) })

  test('sees permitted sections and no actions that change the web', async ({ openPage: page, testWebs }) => {
    const web = await testWebs.add()
    await visit(page, `/hosting/show/${web.id}`)
    await expect(section(page, 'Details')).toContainText(web.customer)
    for (const name of ['Re-scan', 'Backup', 'Update'])
      await expect(page.getByRole('button', { name })).toHaveCount(0)
    for (const name of ['Deployments', 'Log']) await expect(section(page, name)).toHaveCount(0)
    await page.getByRole('button', { name: `More actions for ${web.fqdn}` }).click()
    await expect(page.getByRole('menuitem', { name: 'Copy FQDN' })).toBeVisible()
    await expect(page.getByRole('menuitem', { name: 'Delete' })).toHaveCount(0)
  })
})
