import type { Request } from '@playwright/test'
import { queryConsole } from './harness/database.ts'
import { openApi, storageStateOf } from './harness/global-setup.ts'
import { administrator, token } from './harness/seeded-users.ts'
import { expect, test, uniqueMark } from './harness/test.ts'
import { visit } from './harness/visit.ts'

test.use({ storageState: async ({ storageState: _ }, use) => use(storageStateOf(administrator)) })

test('adds a node, tests its connection, and edits and deletes it', async ({ openPage: page }) => {
  const name = `node-${uniqueMark()}`
  const dialog = page.getByRole('dialog')
  const field = (label: string) => dialog.getByRole('textbox', { name: label, exact: true })
  const rowAction = async (action: string) => {
    await page.getByRole('button', { name: `Actions: ${name}` }).click()
    await page.getByRole('menuitem', { name: action, exact: true }).click()
  }
  const connection = page.getByRole('dialog', { name: `Connection to ${name}` })
  const check = (text: string) => connection.getByRole('listitem').filter({ hasText: text })

  await visit(page, '/nodes')
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

  // Rows move when other tests add nodes.
  await page.getByRole('searchbox').fill(name)
  await expect(page.getByRole('rowheader')).toHaveCount(1)
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

  // The stored key is not sent to another panel.
  await rowAction('Edit')
  await field('Panel').fill('192.0.2.2')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByLabel('API key', { exact: true })).toHaveAccessibleDescription(
    /Enter the key again: /,
  )
  await dialog.getByLabel('API key', { exact: true }).fill('a-key-of-the-other-panel')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(row).toContainText('192.0.2.2')

  await rowAction('Delete')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(row).toHaveCount(0)
})

test('shows the version of a panel that works, and leads on to its webs', async ({ openPage: page }) => {
  await visit(page, '/nodes')
  await page
    .getByRole('button', { name: /^Actions: / })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Test connection' }).click()
  await expect(page.getByRole('dialog').getByRole('img', { name: 'OK' })).toHaveCount(3)
  await expect(page.getByRole('dialog')).toContainText('Plesk 18.0')
  await page.getByRole('dialog').getByRole('link', { name: 'Find webs' }).click()
  await expect(page.getByRole('heading', { name: /^Webs on / })).toBeVisible()
})

test('scans the webs of a node, compares them and imports the selected ones', async ({
  openPage: page,
  testWebs,
}) => {
  const missingWeb = await testWebs.add({ node: 'muc-cloud-01' })
  await visit(page, '/nodes')
  await page.getByRole('button', { name: 'Actions: muc-cloud-01' }).click()
  await page.getByRole('menuitem', { name: 'Find webs' }).click()
  const scan = page.getByRole('button', { name: /^Scan/ }).first()
  await scan.click()
  await expect(page.getByRole('button', { name: /^Scan/, disabled: true }).first()).toBeVisible()
  // A scan waits for other refreshes and audits, which a busy machine takes long for.
  await expect(scan).toBeEnabled({ timeout: 45_000 })
  const row = (text: string) => page.getByRole('row').filter({ hasText: text })
  // Other tests add webs, too, and the list renders only the rows in view.
  const search = page.getByRole('searchbox', { name: 'Search all visible columns' })
  await search.fill('unchanged')
  await expect(row('unchanged').first()).toContainText('8.3')
  await expect(row('unchanged').filter({ hasText: 'TYPO3 13.4.20' }).first()).toBeVisible()
  await search.fill(missingWeb.fqdn)
  await expect(row(missingWeb.fqdn)).toContainText('missing')
  await page.getByRole('checkbox', { name: missingWeb.fqdn }).check()
  await page.getByRole('button', { name: 'Import' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('1 selected row stays as it is.')
  await expect(dialog.getByRole('button', { name: 'Import' })).toBeDisabled()
})

/** Adds a node with a domain of its name, which Kustos has found there but does not know the customer of. */
async function addNodeWithDomain(name: string): Promise<number> {
  const [node] = await queryConsole<{ id: number }>(
    `with node as (
       insert into nodes (name, plesk_fqdn, created_at, updated_at)
       values ($1::text, '192.0.2.1', now(), now()) returning id
     ), discovery as (
       insert into inspections (node_id, kind, state, created_at, ended_at)
       select id, 'discovery', 'succeeded', now(), now() from node
     ), domain as (
       insert into discovered_webs (node_id, fqdn, fqdn_ascii, address, databases, sites)
       select id, $1 || '.test', $1 || '.test', '192.0.2.1', '[]', '[]' from node
     )
     select id from node`,
    name,
  )
  return node?.id ?? 0
}

async function deleteNode(id: number): Promise<void> {
  const api = await openApi(administrator)
  await api.delete(`/api/nodes/${id}`, { headers: await token(api) })
  await api.dispose()
}

test('says at the field and above the buttons why an import was refused', async ({ openPage: page }) => {
  const name = uniqueMark()
  const id = await addNodeWithDomain(name)
  await visit(page, `/nodes/${id}/discovery`)
  await page.getByRole('checkbox', { name: `${name}.test` }).check()
  await page.getByRole('button', { name: 'Import' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import' })
  const customer = dialog.getByRole('combobox', { name: 'Customer' })
  await dialog.getByRole('button', { name: 'Import' }).click()
  await expect(customer).toHaveAccessibleDescription('Customer is required')
  await expect(customer).toBeFocused()
  await customer.fill('TESTER')
  await queryConsole('delete from discovered_webs where node_id = $1', id)
  await dialog.getByRole('button', { name: 'Import' }).click()
  await expect(dialog.getByRole('alert')).toContainText(
    `Nothing was saved${name}.test was not on the node when it was last read.`,
  )
  await deleteNode(id)
})

test('shows what differs before and after, and what is unknown, until it is imported', async ({
  openPage: page,
}) => {
  const name = uniqueMark()
  const id = await addNodeWithDomain(name)
  await queryConsole(
    `insert into webs (fqdn, fqdn_ascii, customer, configured_ip, node_id, framework_name, framework_version)
     select $1::text || '.test', $1 || '.test', 'TESTER', '192.0.2.1', id, 'WordPress', '6.8.2'
     from nodes where name = $1`,
    name,
  )
  await queryConsole(
    `update discovered_webs set framework_name = 'WordPress', framework_version = '6.8.3', php_version = '8.4',
       baseline_php_version = '8.3', aliases = '[]' where node_id = $1`,
    id,
  )
  await visit(page, `/nodes/${id}/discovery`)
  const row = page.getByRole('row').filter({ hasText: `${name}.test` })
  await expect(row).toContainText('changed')
  await expect(row).toContainText('framework WordPress 6.8.2 → WordPress 6.8.3')
  await expect(row).toContainText('PHP 8.3 → 8.4')
  // Its databases could not be read.
  await expect(row).toContainText('unknown')
  await page.getByRole('checkbox', { name: `${name}.test` }).check()
  await page.getByRole('button', { name: 'Import' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import' })
  await expect(dialog).toContainText('Its PHP version and databases will count as known.')
  await dialog.getByRole('button', { name: 'Import' }).click()
  await expect(row).toContainText('unchanged')
  expect(await queryConsole('select framework_version from webs where fqdn = $1', `${name}.test`)).toEqual([
    { framework_version: '6.8.3' },
  ])
  await queryConsole('delete from webs where fqdn = $1', `${name}.test`)
  await deleteNode(id)
})

test('leaves an import while it is being sent, and nothing is written', async ({ openPage: page }) => {
  const name = uniqueMark()
  const id = await addNodeWithDomain(name)
  const isTakeover = (request: Request) => request.method() === 'PUT'
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(`**/api/nodes/${id}/discovery`, async (route) => {
    if (isTakeover(route.request())) await released
    await route.continue()
  })
  await visit(page, `/nodes/${id}/discovery`)
  await page.getByRole('checkbox', { name: `${name}.test` }).check()
  await page.getByRole('button', { name: 'Import' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import' })
  await dialog.getByRole('combobox', { name: 'Customer' }).fill('TESTER')
  const ended = Promise.race([
    page.waitForEvent('requestfailed', isTakeover),
    page.waitForEvent('requestfinished', isTakeover),
  ])
  await dialog.getByRole('button', { name: 'Import' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Leave' }).click()
  await expect(dialog).toHaveCount(0)
  release()
  await ended
  expect(await queryConsole('select fqdn from webs where fqdn = $1', `${name}.test`)).toEqual([])
  await deleteNode(id)
})
