import { storageStateOf } from './harness/global-setup.ts'
import { administrator } from './harness/seeded-users.ts'
import { expect, test, uniqueMark } from './harness/test.ts'

test.use({ storageState: async ({ storageState: _ }, use) => use(storageStateOf(administrator)) })

test('adds a node, tests its connection, and edits and deletes it', async ({ page }) => {
  const name = `node-${uniqueMark()}`
  const dialog = page.getByRole('dialog')
  const field = (label: string) => dialog.getByRole('textbox', { name: label, exact: true })
  const rowAction = async (action: string) => {
    await page.getByRole('button', { name: `Actions: ${name}` }).click()
    await page.getByRole('menuitem', { name: action, exact: true }).click()
  }
  const connection = page.getByRole('dialog', { name: `Connection to ${name}` })
  const check = (text: string) => connection.getByRole('listitem').filter({ hasText: text })

  await page.goto('/nodes')
  await page.getByRole('button', { name: 'Add node' }).click()
  await field('Name').fill(name)
  await field('Panel').fill('192.0.2.1')
  await field('Panel port').fill('1')
  await dialog.getByRole('button', { name: 'Add node' }).click()

  // The sandbox runs commands of all nodes on this machine, but this one has no panel.
  await expect(check('Sign-in over SSH').getByRole('img', { name: 'OK' })).toBeVisible()
  await expect(check('Plesk’s command line')).toContainText('Product version: Plesk Obsidian')
  await expect(check('API of the panel')).toContainText('no API key is stored for it')
  await connection.getByRole('button', { name: 'Close' }).last().click()
  await expect(connection).toHaveCount(0)

  await rowAction('Edit')
  await dialog.getByLabel('API key', { exact: true }).fill('a-key-of-this-panel')
  await dialog.getByRole('button', { name: 'Save' }).click()
  const row = page.getByRole('row').filter({ hasText: name })
  await expect(row).toContainText('stored')
  await rowAction('Test connection')
  await expect(check('API of the panel').getByRole('img', { name: 'Failed' })).toBeVisible()
  await expect(check('API of the panel')).toContainText('can’t be reached')
  await page.keyboard.press('Escape')
  await expect(connection).toHaveCount(0)

  await rowAction('Delete')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(row).toHaveCount(0)
})

test('shows the version of a panel that works', async ({ page }) => {
  await page.goto('/nodes')
  await page
    .getByRole('button', { name: /^Actions: / })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Test connection' }).click()
  await expect(page.getByRole('dialog').getByRole('img', { name: 'OK' })).toHaveCount(3)
  await expect(page.getByRole('dialog')).toContainText('Plesk 18.0')
})

test('scans the webs of a node, compares them and imports the selected ones', async ({ page, testWebs }) => {
  const missingWeb = await testWebs.add({ node: 'muc-cloud-01' })
  await page.goto('/nodes')
  await page.getByRole('button', { name: 'Actions: muc-cloud-01' }).click()
  await page.getByRole('menuitem', { name: 'Find webs' }).click()
  await page.getByRole('button', { name: /^Scan/ }).first().click()
  const row = (text: string) => page.getByRole('row').filter({ hasText: text })
  await expect(row(missingWeb.fqdn)).toContainText('missing')
  await expect(row('unchanged').first()).toContainText('8.3')
  await page.getByRole('checkbox', { name: missingWeb.fqdn }).check()
  await page.getByRole('button', { name: 'Import' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('1 selected row stays as it is.')
  await expect(dialog.getByRole('button', { name: 'Import' })).toBeDisabled()
})
