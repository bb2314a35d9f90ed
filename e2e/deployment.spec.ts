import { readFile } from 'node:fs/promises'
import type { APIRequestContext, Locator, Page } from '@playwright/test'
import { actions } from '../apps/web/src/platform/messages/en/actions.ts'
import { nodeActionNames } from '../packages/contract/src/deployment/index.ts'
import { queryConsole } from './harness/database.ts'
import { storageStateOf } from './harness/global-setup.ts'
import { administrator, readOnly, signInAs, token } from './harness/seeded-users.ts'
import { expect, test, uniqueMark } from './harness/test.ts'
import { visit } from './harness/visit.ts'

test.use({ storageState: async ({ storageState: _ }, use) => use(storageStateOf(administrator)) })

const grid = (page: Page) => page.getByRole('grid')
const rows = (page: Page) =>
  grid(page)
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader') })
/** A plain field, or one that suggests what is known. */
const field = (page: Page, name: string) =>
  page.getByRole('textbox', { name, exact: true }).or(page.getByRole('combobox', { name, exact: true }))
const log = (page: Page) => page.getByRole('log')
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name, level: 1 })
/** The live region that announces the state shown beside the heading. */
const announcedState = (page: Page, state: string) =>
  page.getByRole('status').filter({ hasText: new RegExp(`: ${state}$`) })

/** Deployments take as long as their commands. */
const deploymentTimeout = { timeout: 60_000 }

async function choose(page: Page, fqdn: string, action: string) {
  await grid(page)
    .getByRole('button', { name: `Actions: ${fqdn}` })
    .click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

async function selectOption(page: Page, label: string, option: string) {
  const select = page.getByRole('combobox', { name: label })
  await select.click()
  if (await select.isEditable()) await select.fill(option)
  await page.getByRole('option', { name: option, exact: true }).click()
}

interface Web {
  readonly id: number
  readonly fqdn: string
  readonly node: string | null
}

/** A deployed web serves its repository's page, but tracking.spec.ts needs the original pages of these. */
const trackingWebs = ['www.bergbahnen-ahrntal.test', 'www.hotel-rosengarten.test']

/** The active webs on cloud-enabled nodes. */
async function deployableWebs(api: APIRequestContext): Promise<readonly Web[]> {
  const { data, nodes } = await (await api.get('/api/webs')).json()
  return data.filter(
    ({ fqdn, node, status }: { fqdn: string; node: string | null; status: number | null }) =>
      !trackingWebs.includes(fqdn) &&
      nodes.some(
        ({ name, cloud_enabled }: { name: string; cloud_enabled: boolean }) =>
          name === node && cloud_enabled && status === 0,
      ),
  )
}

async function requestDeployment(api: APIRequestContext, action: string, id: number): Promise<string> {
  const response = await api.post(`/api/deployment/${action}`, { headers: await token(api), data: { id } })
  expect([204, 409], await response.text()).toContain(response.status())
  return response.headers().location ?? ''
}

test('requests a new web and follows its deployment to the end', async ({ openPage: page }) => {
  test.setTimeout(120_000)
  const mark = uniqueMark()
  const [domain, number] = [`${mark}.test`, `bn${Number.parseInt(mark.slice(-6), 16)}`]
  await visit(page, '/deployment')
  await expect(page).toHaveURL(/\/deployment\/newweb$/)
  await page.getByRole('button', { name: 'Request' }).click()
  await expect(page.getByRole('combobox', { name: 'Kickstarter' })).toHaveAccessibleDescription(
    'Kickstarter is required',
  )
  await selectOption(page, 'Kickstarter', 'web134-kickstarter-base')
  await field(page, 'TP number').fill('12')
  await field(page, 'Domain').fill(`www.${domain}`)
  await field(page, 'Customer').fill('Tester')
  await page.getByRole('button', { name: 'Request' }).click()
  await expect(page.getByText('Must start with bn and digits')).toBeVisible()
  await expect(page.getByText('Do not include www')).toBeVisible()
  await expect(page.getByText('Must be an all uppercase word OR 6 digit number')).toBeVisible()

  await field(page, 'TP number').fill(number)
  await field(page, 'Domain').fill(domain)
  await field(page, 'Customer').fill('TÄSTER')
  await expect(page.getByText(`web134-${domain}`)).toBeVisible()
  await page.getByRole('button', { name: 'Request' }).click()
  await expect(page.getByText(`${domain}: new web requested`)).toBeVisible()
  await expect(field(page, 'Domain')).toHaveValue('')
  await field(page, 'Customer').focus()
  await page.keyboard.type('T')
  await expect(page.locator('[aria-invalid=true]')).toHaveCount(0)
  await page.keyboard.press('Backspace')

  await page.getByRole('button', { name: 'Show deployment' }).click()
  await expect(heading(page, `New web · ${domain}`)).toBeVisible()
  await expect(announcedState(page, 'succeeded')).toBeAttached(deploymentTimeout)
  await expect(page.getByRole('listitem').filter({ hasText: 'succeeded' })).not.toHaveCount(0)
  await expect(log(page)).not.toBeEmpty()

  // The form knows the new repository without a reload.
  await page.getByRole('link', { name: 'New web' }).click()
  await selectOption(page, 'Kickstarter', 'web134-kickstarter-erfolg')
  await field(page, 'Domain').fill(domain)
  await field(page, 'Customer').focus()
  await expect(page.getByText('A repo with this domain already exists!')).toBeVisible()
  await selectOption(page, 'Kickstarter', 'web124-kickstarter-base')
  await expect(page.getByText('A repo with this domain already exists!')).toHaveCount(0)
})

test('requests a backup; its log can be read, copied and downloaded', async ({ openPage: page }) => {
  test.setTimeout(120_000)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const [web] = await deployableWebs(page.request)
  if (web === undefined) throw new Error('No web on a cloud-enabled node in the sandbox')
  const { fqdn } = web
  await visit(page, `/hosting?q=${encodeURIComponent(fqdn)}`)
  await choose(page, fqdn, 'Backup')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Back up the files and the database of this web?')
  await dialog.getByRole('button', { name: 'Backup' }).click()
  await expect(page.getByText(`${fqdn}: backup requested`)).toBeVisible()
  await page.getByRole('button', { name: 'Show deployment' }).click()

  await expect(heading(page, `Backup · ${fqdn}`)).toBeVisible()
  await expect(page.getByText(`Requested by ${administrator.email}`)).toBeVisible()
  await expect(announcedState(page, 'succeeded')).toBeAttached(deploymentTimeout)
  await expect(page.getByRole('button', { name: 'Cancel' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Copy' }).click()
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  const numbers = copied
    .trim()
    .split('\n')
    .map((line) => Number.parseInt(line, 10))
  expect(numbers).toEqual(numbers.map((_, index) => index + 1))
  await page.evaluate(() => {
    URL.revokeObjectURL = (url) => Object.assign(window, { revoked: url })
  })
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ])
  expect(await readFile(await download.path(), 'utf8')).toBe(copied)
  // A browser may take a while to read the file.
  expect(await page.evaluate(() => Reflect.get(window, 'revoked'))).toBeUndefined()
  expect(download.suggestedFilename()).toMatch(/^deployment-\d+-.+\.txt$/)

  await page.getByRole('main').getByRole('link', { name: 'Queue' }).click()
  await expect(heading(page, 'Queue')).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search all visible columns' }).fill(fqdn)
  const listed = page
    .getByRole('row')
    .filter({ hasText: `Backup · ${fqdn}` })
    .first()
  for (const text of [administrator.email, 'succeeded', /\d[.:]\d/]) await expect(listed).toContainText(text)
  await expect(page.getByRole('grid')).not.toContainText('Probe webs')
  await page.getByRole('searchbox', { name: 'Search all visible columns' }).fill('Probe webs')
  await page.getByRole('switch', { name: 'Show background jobs' }).click()
  await expect(page.getByRole('grid')).toContainText('Probe webs')
})

test('notifies the user who asked for a deployment of its end, on another screen', async ({
  page: administratorPage,
  browser,
  testUsers,
}) => {
  test.setTimeout(120_000)
  const web = (await deployableWebs(administratorPage.request)).at(1)
  if (web === undefined) throw new Error('No second web on a cloud-enabled node in the sandbox')
  // Of somebody who has many deployments under way, as the administrator of these tests has, successes wait for the others.
  const user = await testUsers.add({
    permissions: ['view webs', 'edit webs', 'view queue', 'view limitis email'],
  })
  const page = await testUsers.open(browser, user, '/limitis/emails')
  await expect(heading(page, 'Emails')).toBeVisible()
  const id = (await requestDeployment(page.request, 'exportDatabase', web.id)).split('/').at(-1)
  const notice = page.getByRole('alert').filter({ hasText: `Export database · ${web.fqdn}: succeeded` })
  await expect(notice).toBeVisible(deploymentTimeout)
  await notice.getByRole('button', { name: 'Show deployment' }).click()
  await expect(notice).toHaveCount(0)
  await expect(page).toHaveURL(new RegExp(`/queue/${id}$`))

  // As one that fails. The same end is shown once.
  await page.goto('/limitis/emails')
  await expect(heading(page, 'Emails')).toBeVisible()
  await queryConsole(
    `update deployments set state = 'failed', error = 'The dump is empty.', ended_at = now(), updated_at = now() where id = $1`,
    Number(id),
  )
  const failure = page.getByRole('alert').filter({ hasText: `Export database · ${web.fqdn}: failed` })
  await expect(failure).toContainText('The dump is empty.')
  await page.reload()
  await expect(heading(page, 'Emails')).toBeVisible()
  await expect(failure).toHaveCount(0)
})

test('warns before importing a database and offers a backup', async ({ openPage: page }) => {
  const web = (await deployableWebs(page.request)).at(-1)
  if (web === undefined) throw new Error('No web on a cloud-enabled node in the sandbox')
  await visit(page, `/hosting?q=${encodeURIComponent(web.fqdn)}`)
  await choose(page, web.fqdn, 'Import database')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('All current data will be overwritten.')
  await expect(dialog.getByRole('checkbox', { name: 'Back up first' })).toBeChecked()
  await dialog.getByRole('button', { name: 'Cancel' }).last().click()
  await expect(dialog).toHaveCount(0)
})

test('cancels a waiting deployment and retries it', async ({ openPage: page, baseURL }) => {
  test.setTimeout(120_000)
  const api = await signInAs(administrator, baseURL ?? '')
  const webs = await deployableWebs(api)
  const { node } = webs.at(-1) ?? { node: null }
  const neighbours = webs.filter((web) => web.node === node).slice(-10)
  // A node runs two deployments at a time, so the last one waits long enough.
  const requested: string[] = []
  for (const { id } of neighbours)
    for (const action of ['exportDatabase', 'updateWeb', 'backupWeb'])
      requested.push(await requestDeployment(api, action, id))
  const [id = '', ...others] = requested.flatMap((location) => location.split('/').at(-1) || []).reverse()
  await visit(page, `/queue/${id}`)
  await expect(announcedState(page, 'waiting')).toBeAttached()
  await expect(page.getByText(/Number \d+ in the queue/)).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Remove this deployment from the queue?')
  await dialog.getByRole('button', { name: 'Cancel deployment' }).click()
  await expect(announcedState(page, 'cancelled')).toBeAttached(deploymentTimeout)
  await expect(page.getByRole('button', { name: 'Cancel', exact: true })).toHaveCount(0)
  // Nothing is left to wait for; those that have ended meanwhile answer 409.
  for (const other of others)
    await api.post(`/api/deployments/${other}/cancel`, { headers: await token(api) })
  await page.getByRole('button', { name: 'Retry' }).press('Enter')
  // The button disappears.
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await expect(announcedState(page, 'succeeded')).toBeAttached(deploymentTimeout)
  await expect(page.getByText('Attempts')).toBeVisible()
  await api.dispose()
})

/** A deployment in the queue that started 754 seconds ago. */
function listedJob(state: 'running' | 'succeeded' | 'failed') {
  const startedAt = new Date(Date.now() - 754_000).toISOString()
  return {
    id: 'deployment-1',
    queue: 'deployment',
    displayName: 'backupWeb · slow.test',
    attempts: 1,
    created_at: startedAt,
    state,
    failed_reason: null,
    web_id: null,
    deployment_id: 1,
    kind: 'backupWeb',
    requested_by: null,
    started_at: startedAt,
    ended_at: state === 'running' ? null : new Date().toISOString(),
  }
}

test('retries a failed deployment from the list', async ({ openPage: page }) => {
  let retries = 0
  await page.route('**/api/queue', (route) => route.fulfill({ json: [listedJob('failed')] }))
  await page.route('**/api/deployments/*/retry', (route) => {
    retries += 1
    return route.fulfill({ status: 204 })
  })
  await visit(page, '/queue')
  // Until then, the jobs of an earlier test are shown.
  await expect(rows(page)).toHaveCount(1)
  await page.getByRole('button', { name: /^Actions: / }).click()
  await page.getByRole('menuitem', { name: 'Retry' }).click()
  await expect(page.getByText('slow.test: retry requested')).toBeVisible()
  expect(retries).toBe(1)
})

test('shows how long a deployment has been running, and cancels it from the list', async ({
  openPage: page,
}) => {
  let cancellations = 0
  // The duration is a column as long as one deployment has ended.
  const ended = { ...listedJob('succeeded'), id: 'deployment-2', deployment_id: 2 }
  await page.route('**/api/queue', (route) => route.fulfill({ json: [listedJob('running'), ended] }))
  await page.route('**/api/deployments/*/cancel', (route) => {
    cancellations += 1
    return route.fulfill({ status: 204 })
  })
  await visit(page, '/queue')
  const row = rows(page).filter({ hasText: 'running' })
  await expect(row).toContainText(/12:\d\d/)
  await row.getByRole('button', { name: /^Actions: / }).click()
  await page.getByRole('menuitem', { name: 'Cancel deployment' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Stop the running step?')
  await dialog.getByRole('button', { name: 'Cancel deployment' }).click()
  await expect(page.getByText(/: cancellation requested$/)).toBeVisible()
  expect(cancellations).toBe(1)
})

test('asks for confirmation before forking a source without a dump', async ({ openPage: page, baseURL }) => {
  test.setTimeout(120_000)
  const api = await signInAs(administrator, baseURL ?? '')
  const deployable = new Set((await deployableWebs(api)).map(({ id }) => id))
  const repositories = await (await api.get('/api/bitbucket')).json()
  const source = repositories.find(
    ({
      name,
      web,
      kick_dumped_at: dumped,
    }: {
      name: string
      web: Web | null
      kick_dumped_at: string | null
    }) => name.startsWith('web134-') && web !== null && deployable.has(web.id) && dumped === null,
  )
  await api.dispose()
  const domain = `${uniqueMark()}.test`
  await visit(page, '/deployment/forkweb')
  await expect(page.getByText('The dump must be refreshed before forking')).toBeVisible()
  await selectOption(page, 'Source repo', source.name)
  await expect(page.getByText('No dump yet.')).toBeVisible()
  await field(page, 'TP number').fill('bn77')
  await field(page, 'Domain').fill(domain)
  await field(page, 'Customer').fill('104233')
  await page.getByRole('button', { name: 'Request' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText(`${source.name} has no dump.`)
  await dialog.getByRole('button', { name: 'Cancel' }).last().click()
  await expect(dialog).toHaveCount(0)
  await expect(page).toHaveURL(/forkweb$/)

  await page.getByRole('button', { name: 'Refresh dump' }).click()
  await expect(page.getByText('The dump is up to date.')).toBeVisible(deploymentTimeout)
  await expect(page.getByText('Created now')).toBeVisible()
  await page.getByRole('button', { name: 'Request' }).click()
  await expect(page.getByText(`${domain}: fork requested`)).toBeVisible()
  await expect(page).toHaveURL(/\/queue$/)
  await page.getByRole('link', { name: new RegExp(`New web.*${domain}`) }).click()
  await expect(announcedState(page, 'succeeded')).toBeAttached(deploymentTimeout)
})

test('requests a trial-day web with a single field', async ({ openPage: page }) => {
  await visit(page, '/deployment/newschnuppertagweb')
  const codename = `trial${[...crypto.randomUUID().replace(/\W|\d/g, '')].join('')}`.slice(0, 12)
  await field(page, 'Codename').fill('Anna')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Must be an all lowercase word')).toBeVisible()
  await field(page, 'Codename').fill('a'.repeat(19))
  await expect(page.getByText('Can`t be longer than 18 characters')).toBeVisible()
  await field(page, 'Codename').fill(codename)
  await expect(page.getByText(`schnuppertag-${codename}`)).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByText(`schnuppertag-${codename}: trial-day web requested`)).toBeVisible()
  await expect(page).toHaveURL(/\/queue$/)
})

test('finds repositories and opens them in a new tab', async ({ openPage: page }) => {
  await visit(page, '/hosting/bitbucket?q=web134-kickstarter-base')
  await expect(rows(page)).toHaveCount(1)
  const link: Locator = page.getByRole('link', { name: 'Open web134-kickstarter-base on Bitbucket' })
  await expect(link).toHaveAttribute('target', '_blank')
  await expect(link).toHaveAttribute('rel', /noopener/)
  await visit(page, '/hosting/bitbucket')
  await expect(page.getByText(/^1–50 of 1\d\d$/)).toBeVisible()
})

test('offers no deployment for a web on a node that is not cloud-enabled', async ({
  openPage: page,
  testWebs,
}) => {
  const { nodes } = await (await page.request.get('/api/webs')).json()
  const { name } = nodes.find(({ cloud_enabled }: { cloud_enabled: boolean }) => !cloud_enabled)
  const web = await testWebs.add({ node: name })
  const calls: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') calls.push(request.url())
  })
  await visit(page, `/hosting?q=${web.fqdn}`)
  for (const action of nodeActionNames) {
    await choose(page, web.fqdn, actions[action].label)
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText('This action can not be executed on this server.')
    await dialog.getByRole('button', { name: 'OK' }).click()
    await expect(dialog).toHaveCount(0)
  }
  expect(calls).toEqual([])
})

test('lists why an action applies to none of the selected webs', async ({ openPage: page, testWebs }) => {
  const { nodes } = await (await page.request.get('/api/webs')).json()
  const { name } = nodes.find(({ cloud_enabled }: { cloud_enabled: boolean }) => !cloud_enabled)
  const mark = uniqueMark()
  for (const end of ['a', 'b']) await testWebs.add({ fqdn: `${mark}-${end}.test`, node: name })
  await visit(page, `/hosting?q=${mark}`)
  for (const end of ['a', 'b'])
    await page.getByRole('checkbox', { name: new RegExp(`${mark}-${end}`) }).click()
  await page.getByRole('toolbar').getByRole('button', { name: 'Backup' }).click()
  const dialog = page.getByRole('dialog', { name: 'Backup · 2 webs' })
  await expect(dialog).toContainText(`${mark}-a.test: Deployments are not allowed on ${name}.`)
})

test.describe('a user with read-only permissions', () => {
  test.use({ storageState: async ({ storageState: _ }, use) => use(storageStateOf(readOnly)) })

  test('sees no deployment screens', async ({ page }) => {
    await page.goto('/')
    const navigation = page.getByRole('navigation', { name: 'Main navigation' })
    await expect(navigation.getByRole('link', { name: 'Webs' })).toBeVisible()
    for (const name of ['New web', 'Trial-day web', 'Fork web', 'Bitbucket', 'Queue'])
      await expect(navigation.getByRole('link', { name, exact: true })).toHaveCount(0)
    for (const path of ['/deployment', '/deployment/forkweb', '/hosting/bitbucket', '/queue', '/queue/1']) {
      await page.goto(path)
      await expect(heading(page, 'Dashboard')).toBeVisible()
      await expect(page).toHaveURL(/\/$/)
    }
    await page.goto('/hosting')
    await grid(page)
      .getByRole('button', { name: /^Actions: / })
      .first()
      .click()
    await expect(page.getByRole('menuitem', { name: 'Copy FQDN' })).toBeVisible()
    for (const name of ['Backup', 'Update', 'Import database', 'Export database'])
      await expect(page.getByRole('menuitem', { name, exact: true })).toHaveCount(0)
    await expect(grid(page).getByRole('checkbox')).toHaveCount(0)
  })
})
