import type { Page } from '@playwright/test'
import { openApi, storageStateOf } from './harness/global-setup.ts'
import { retryUntil } from './harness/retry.ts'
import { administrator, monitoring, readOnly, token } from './harness/seeded-users.ts'
import { expect, test, uniqueMark } from './harness/test.ts'
import { visit } from './harness/visit.ts'

const field = (page: Page) => page.getByRole('combobox', { name: 'Search webs, screens and actions' })
const options = (page: Page) => page.getByRole('listbox', { name: 'Results' }).getByRole('option')
const chosen = (page: Page) =>
  page.getByRole('listbox', { name: 'Results' }).getByRole('option', { selected: true })

async function open(page: Page) {
  // The shell listens to the key once its button is visible.
  await expect(page.getByRole('button', { name: 'Search or jump to…' })).toBeVisible()
  await page.keyboard.press('ControlOrMeta+K')
  await expect(field(page)).toBeFocused()
}

/** @returns a function that deletes them */
async function addNodeAndDomain(mark: string): Promise<() => Promise<void>> {
  const api = await openApi(administrator)
  const headers = await token(api)
  const rows = [
    { path: '/api/nodes', data: { name: `node-${mark}`, plesk_fqdn: '192.0.2.1' } },
    {
      path: '/api/externalDomains',
      data: { fqdn: `domain-${mark}.test`, customer: 'TESTER', domainprovider: 'Elsewhere' },
    },
  ]
  const paths: string[] = []
  for (const { path, data } of rows) {
    const response = await api.post(path, { headers, data })
    expect(response.status(), await response.text()).toBe(201)
    paths.push(`${path}/${(await response.json()).id}`)
  }
  return async () => {
    for (const path of paths) await api.delete(path, { headers })
    await api.dispose()
  }
}

test('the palette does not open before signing in', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible()
  await page.keyboard.press('ControlOrMeta+K')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test.describe('the administrator', () => {
  test.use({ storageState: async ({ storageState: _ }, use) => use(storageStateOf(administrator)) })

  test('finds a web and its actions by keyboard', async ({ openPage: page, testWebs }) => {
    const mark = uniqueMark()
    const web = await testWebs.add({ fqdn: `bäckerei-${mark}.test`, customer: `KUNDE ${mark}` })
    await visit(page, '/')
    await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()
    await open(page)

    for (const written of [`baeckerei-${mark}`, `BÄCKEREI-${mark}.test`, `kunde ${mark}`, String(web.id)]) {
      await field(page).fill(written)
      await expect(chosen(page)).toContainText(web.fqdn)
    }
    await page.keyboard.press('Enter')
    const actions = page.getByRole('combobox', { name: `${web.fqdn}: Choose an action` })
    await expect(actions).toBeFocused()
    await expect(chosen(page)).toHaveText('Show web')
    for (const name of [
      'Edit',
      'Re-scan',
      'Update',
      'Backup',
      'Export database',
      'Tracking audit',
      'Daily uptime',
    ])
      await expect(options(page).filter({ hasText: new RegExp(`^${name}$`) })).toHaveCount(1)

    await page.keyboard.press('Backspace')
    await expect(field(page)).toHaveValue(String(web.id))
    await page.keyboard.press('Enter')
    await actions.fill('edit')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(`/hosting/edit/${web.id}`)
    await expect(page.getByRole('dialog')).toHaveCount(0)

    // The web appears under recent webs.
    await open(page)
    await expect(page.getByRole('group', { name: 'Recent webs' }).getByRole('option').first()).toContainText(
      web.fqdn,
    )
  })

  test('keeps what is typed, and Enter, before the palette and the webs are loaded', async ({
    page,
    testWebs,
  }) => {
    const web = await testWebs.add()
    const isPaletteWanted = Promise.withResolvers<void>()
    await page.route(/\/assets\/Palette-[^/]+\.js$/, async (route) => {
      await isPaletteWanted.promise
      await route.continue()
    })
    await page.route('**/api/webs', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 1500))
      await route.continue()
    })
    await page.goto('/queue')
    const search = page.getByRole('searchbox')
    await search.focus()
    await page.keyboard.press('ControlOrMeta+K')
    await page.keyboard.type(web.fqdn.slice(0, 5))
    isPaletteWanted.resolve()
    await page.keyboard.type(web.fqdn.slice(5))
    await page.keyboard.press('Enter')
    await expect(page.getByRole('combobox', { name: `${web.fqdn}: Choose an action` })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(search).toBeFocused()
  })

  test('keeps the focus if it is opened again while it closes', async ({ page }) => {
    const isQueueWanted = Promise.withResolvers<void>()
    await page.route(/\/assets\/QueueScreen-[^/]+\.js$/, async (route) => {
      await isQueueWanted.promise
      await route.continue()
    })
    await page.goto('/hosting')
    const search = page.getByRole('searchbox')
    await search.focus()
    await open(page)
    // Faster than a test's keys: Mantine returns the focus after 10 ms.
    await page.evaluate(() => {
      const press = (init: KeyboardEventInit) =>
        document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, ...init }))
      press({ key: 'Escape', code: 'Escape' })
      setTimeout(() => press({ key: 'k', code: 'KeyK', ctrlKey: true }), 2)
    })
    await expect(field(page)).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(search).toBeFocused()

    // A screen that has been loaded meanwhile does not take the focus either.
    await open(page)
    await field(page).fill('jobs')
    await page.keyboard.press('Enter')
    await open(page)
    isQueueWanted.resolve()
    await expect(page.getByRole('heading', { name: 'Queue', level: 1, includeHidden: true })).toBeVisible()
    await page.keyboard.type('deutsch')
    await expect(field(page)).toHaveValue('deutsch')
  })

  test('asks for the usual confirmation of an action', async ({ openPage: page, testWebs }) => {
    const web = await testWebs.add()
    await visit(page, '/queue')
    await page.getByRole('button', { name: 'Search or jump to…' }).click()
    await field(page).fill(web.fqdn)
    await expect(chosen(page)).toContainText(web.fqdn)
    await page.keyboard.press('Enter')
    await page.keyboard.type('refr')
    await page.keyboard.press('Enter')
    const question = page.getByRole('dialog', { name: web.fqdn })
    await expect(question).toBeVisible()
    await question.getByRole('button', { name: 'Re-scan' }).click()
    await expect(page.getByText(`${web.fqdn}: re-scan requested`)).toBeVisible()
  })

  test('finds screens by English and German names, groups and synonyms', async ({ openPage: page }) => {
    await visit(page, '/')
    await open(page)
    for (const [written, expected] of [
      ['queue', 'Queue'],
      ['Warteschlange', 'Queue'],
      ['uptime', 'Check uptime'],
      ['limitis', 'All domains'],
      ['cookies', 'Tracking'],
      ['fork', 'Fork a web'],
      ['sign out', 'Logout'],
    ] as const) {
      await field(page).fill(written)
      await expect(chosen(page)).toContainText(expected)
    }
    await field(page).fill('postfächer')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/limitis/emails')
    await expect(page.getByRole('main')).toBeFocused()
  })

  test('finds actions, webs by node, and both in one query', async ({ openPage: page, testWebs }) => {
    const web = await testWebs.add()
    await visit(page, '/queue')
    await open(page)
    await field(page).fill('users')
    await expect(chosen(page)).toContainText('User management')
    await field(page).fill('tracking audit')
    await page.getByRole('option', { name: 'Tracking audit: choose a web…' }).click()
    await page.keyboard.press('Backspace')
    await field(page).fill('edit')
    await page.getByRole('option', { name: 'Edit: choose a web…' }).click()
    await page.getByRole('combobox', { name: 'Edit: choose a web' }).fill(web.fqdn)
    await expect(chosen(page)).toContainText(web.fqdn)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(`/hosting/edit/${web.id}`)
    await open(page)
    await field(page).fill(`${web.fqdn} daily upt`)
    await expect(chosen(page)).toContainText('Daily uptime')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(new RegExp(`/monitoring/webs/show/${web.id}/`))
  })

  test('finds a node, a user and an external domain by keyboard', async ({ openPage: page, testUsers }) => {
    const mark = uniqueMark()
    const user = await testUsers.add({ permissions: [] })
    const removeRows = await addNodeAndDomain(mark)
    await visit(page, '/queue')
    for (const [written, path] of [
      [`node-${mark}`, `/nodes/node-${mark}`],
      [user.email, `/admin/user-management/edit/${user.id}`],
      [`domain-${mark}.test`, `/domains/domain-${mark}.test`],
    ] as const) {
      await open(page)
      await field(page).fill(written)
      await expect(chosen(page)).toContainText(written)
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(path)
    }

    // Without an exact match they come after what the browser has found.
    await open(page)
    await field(page).fill(mark)
    await expect(page.getByRole('group', { name: 'Nodes' }).getByRole('option')).toHaveText(/^node-/)
    await expect(page.getByRole('group', { name: 'Domains' }).getByRole('option')).toHaveText(/^domain-/)

    await page.route('**/api/search?*', (route) =>
      route.fulfill({ status: 403, json: { message: 'Not today.' } }),
    )
    // Words that no other test searches for, so that this page cannot have the answer.
    await field(page).fill('queu')
    await expect(page.getByText('The server couldn’t be searched.')).toBeVisible()
    await expect(chosen(page)).toContainText('Queue')
    await page.keyboard.press('Escape')
    await removeRows()
  })

  test('keeps the chosen entry when better results of the server come above it', async ({
    openPage: page,
    testWebs,
  }) => {
    const mark = uniqueMark()
    for (const end of ['a', 'b']) await testWebs.add({ fqdn: `${mark}-${end}.test` })
    const released = Promise.withResolvers<void>()
    await page.route('**/api/search?*', async (route) => {
      await released.promise
      await route.fulfill({ json: { data: [{ kind: 'node', id: '1', label: mark, hint: '192.0.2.1' }] } })
    })
    await visit(page, '/queue')
    await open(page)
    await field(page).fill(mark)
    await expect(options(page)).toHaveCount(2)
    await page.keyboard.press('ArrowDown')
    await expect(chosen(page)).toContainText(`${mark}-b.test`)
    released.resolve()
    await expect(options(page)).toHaveCount(3)
    await expect(chosen(page)).toContainText(`${mark}-b.test`)
    await page.keyboard.press('ArrowUp')
    await expect(chosen(page)).toContainText(`${mark}-a.test`)
    await page.keyboard.press('Escape')
  })

  test('offers the web list if nothing is found, and changes the language', async ({ page }) => {
    await page.goto('/queue')
    await open(page)
    await field(page).fill('no such thing')
    await expect(page.getByRole('group', { name: 'No results for “no such thing”' })).toBeVisible()
    await expect(page.getByRole('status').filter({ hasText: 'No results' })).toHaveCount(1)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/hosting?q=no+such+thing')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await open(page)
    await field(page).fill('deutsch')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: 'Suchen oder wechseln zu …' })).toBeVisible()
  })

  test('shows that webs could not be loaded and retries', async ({ page }) => {
    let isFailing = true
    await page.route('**/api/webs', (route) =>
      isFailing ? route.fulfill({ status: 403, json: { message: 'Not today.' } }) : route.continue(),
    )
    await page.goto('/queue')
    await open(page)
    await expect(page.getByRole('alert')).toContainText('Not today.')
    await field(page).fill('queue')
    await expect(chosen(page)).toContainText('Queue')
    isFailing = false
    await retryUntil(page.getByRole('dialog'), () =>
      expect(page.getByRole('alert')).toHaveCount(0, { timeout: 1000 }),
    )
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })
})

test.describe('a user of monitoring', () => {
  test.use({ storageState: async ({ storageState: _ }, use) => use(storageStateOf(monitoring)) })

  test('finds no screens without permission', async ({ openPage: page }) => {
    await visit(page, '/')
    await open(page)
    await expect(options(page).filter({ hasText: 'Check uptime' })).toHaveCount(1)
    for (const name of ['Create a web', 'Fork a web', 'Emails', 'Bitbucket'])
      await expect(options(page).filter({ hasText: name })).toHaveCount(0)
  })
})

test.describe('a user with read-only permissions', () => {
  test.use({ storageState: async ({ storageState: _ }, use) => use(storageStateOf(readOnly)) })

  test('opens a web but finds no actions that change it', async ({ openPage: page, testWebs }) => {
    const web = await testWebs.add()
    await visit(page, '/')
    await open(page)
    await field(page).fill(web.fqdn)
    await expect(chosen(page)).toContainText(web.fqdn)
    await page.keyboard.press('Enter')
    await expect(options(page).filter({ hasText: 'Show web' })).toHaveCount(1)
    for (const name of ['Edit', 'Re-scan', 'Backup', 'Delete'])
      await expect(options(page).filter({ hasText: name })).toHaveCount(0)
  })
})
