import type { Page } from '@playwright/test'
import { storageStateOf } from './harness/global-setup.ts'
import { administrator, monitoring, password, signInAs, token } from './harness/seeded-users.ts'
import { expect, test, uniqueMark } from './harness/test.ts'
import { ownPassword } from './harness/test-users.ts'
import { visit } from './harness/visit.ts'

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const newPassword = (page: Page) => page.getByLabel('New password')
const currentPassword = (page: Page) => page.getByLabel('Current password')
const save = (page: Page) => page.getByRole('button', { name: 'Save' })

async function openSettings(page: Page) {
  await visit(page, '/settings')
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()
}

test.describe('own settings', () => {
  test.use({ storageState: async ({ storageState: _ }, use) => use(storageStateOf(monitoring)) })

  test('show the account and save a new name', async ({ openPage: page }) => {
    await openSettings(page)
    await expect(page.getByRole('definition').filter({ hasText: monitoring.email })).toBeVisible()
    await expect(page.getByRole('definition').filter({ hasText: /^monitoring$/ })).toBeVisible()
    await expect(
      page.getByRole('definition').filter({ hasText: /^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d$/ }),
    ).toHaveCount(2)

    const before = await field(page, 'Name').inputValue()
    const name = `Jörg ${uniqueMark()}`
    await field(page, 'Name').fill(name)
    await save(page).click()
    await expect(page.getByText(`${name}: settings saved`)).toBeVisible()
    await expect(page.getByRole('button', { name: `User menu for ${name}` })).toBeVisible()
    await page.reload()
    await expect(field(page, 'Name')).toHaveValue(name)
    await field(page, 'Name').fill(before)
    await save(page).click()
    await expect(page.getByText(`${before}: settings saved`)).toBeVisible()
  })

  test('switch to German and dark mode in this browser', async ({ page }) => {
    await openSettings(page)
    await page.getByText('Deutsch', { exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Einstellungen', level: 1 })).toBeVisible()
    await page.getByText('Dunkel', { exact: true }).click()
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Einstellungen', level: 1 })).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('lang', 'de')
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
  })
})

test('own settings show errors under their fields', async ({ page, testUsers }) => {
  const user = await testUsers.add({ permissions: ['view webs'] })
  await testUsers.signIn(page, user, '/settings')
  await field(page, 'Name').fill('')
  await newPassword(page).fill('short')
  await save(page).click()
  await expect(page.getByText('Name is required')).toBeVisible()
  await expect(page.getByText('Must have at least 12 characters')).toBeVisible()

  await field(page, 'Name').fill('Jörg')
  await expect(page.getByText('Password is required')).toBeVisible()
  await newPassword(page).fill('')
  await expect(currentPassword(page)).toHaveCount(0)
  await field(page, 'E-Mail').fill(administrator.email)
  await currentPassword(page).fill('not my password')
  await save(page).click()
  await expect(currentPassword(page)).toHaveAccessibleDescription('This is not your current password')
  await currentPassword(page).fill(ownPassword)
  await save(page).click()
  await expect(field(page, 'E-Mail')).toHaveAttribute('aria-invalid', 'true')
  await expect(field(page, 'E-Mail')).toHaveAccessibleDescription(/already/)
})

test('own settings do not take back what was changed elsewhere meanwhile', async ({
  page,
  testUsers,
  baseURL,
}) => {
  const user = await testUsers.add({ permissions: ['view webs'] })
  await testUsers.signIn(page, user, '/settings')
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()
  const alerts = page.getByRole('checkbox', { name: 'Send me monitoring alerts by e-mail' })
  await alerts.click()
  const api = await signInAs(administrator, baseURL ?? '')
  const { roles } = await (await api.get(`/api/users/${user.id}`)).json()
  const data = {
    email: user.email,
    name: 'Named Elsewhere',
    roles: roles.map(({ id }: { id: number }) => id),
  }
  const response = await api.put(`/api/users/${user.id}`, { headers: await token(api), data })
  expect(response.status(), await response.text()).toBe(204)
  await save(page).click()
  await page.getByRole('button', { name: 'Load latest' }).click()
  await expect(field(page, 'Name')).toHaveValue('Named Elsewhere')
  await expect(alerts).toBeChecked()
  await save(page).click()
  await expect(page.getByText('Named Elsewhere: settings saved')).toBeVisible()
  // The form goes on from what it has saved.
  await alerts.click()
  await save(page).click()
  await expect(page.getByText('Named Elsewhere: settings saved').nth(1)).toBeVisible()
  const saved = await (await page.request.get('/api/users/current')).json()
  expect(saved).toMatchObject({ name: 'Named Elsewhere', monitoring_mail_subscription: false })
  await api.dispose()
})

test('a new password ends the other sessions and replaces the old one', async ({ page, baseURL }) => {
  const lead = { email: 'team-lead@kustos.test', role: 'project management' }
  const elsewhere = await signInAs(lead, baseURL ?? '')
  const changed = `${password}-${uniqueMark()}`
  await page.goto('/settings')
  await page.getByLabel('E-Mail').fill(lead.email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()
  await newPassword(page).fill(changed)
  await currentPassword(page).fill(password)
  await save(page).click()
  await expect(page.getByText(/: settings saved$/)).toBeVisible()

  expect((await elsewhere.get('/api/users/current')).status()).toBe(401)
  await expect(signInAs(lead, baseURL ?? '')).rejects.toThrow('401')
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()

  // Restored for the tests that follow.
  await newPassword(page).fill(password)
  await currentPassword(page).fill(changed)
  await save(page).click()
  await expect(page.getByText(/: settings saved$/).last()).toBeVisible()
  await expect
    .poll(async () =>
      (
        await elsewhere.post('/api/login', {
          headers: await freshToken(elsewhere),
          data: { ...lead, password },
        })
      ).status(),
    )
    .toBe(204)
  await elsewhere.dispose()
})

const row = (page: Page, email: string) => page.getByRole('grid').getByRole('row').filter({ hasText: email })

async function chooseAction(page: Page, email: string, action: string) {
  await page.getByRole('button', { name: `Actions: ${email}` }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

test.describe('an administrator', () => {
  test.use({ storageState: async ({ storageState: _ }, use) => use(storageStateOf(administrator)) })

  test('adds, changes, deletes and restores a user', async ({ openPage: page }) => {
    const mark = uniqueMark()
    const email = `${mark}@kustos.test`
    await visit(page, '/admin/user-management')
    await page.getByRole('link', { name: 'Create', exact: true }).click()
    const create = page.getByRole('button', { name: 'Create', exact: true })
    await create.click()
    for (const message of [
      'Name is required',
      'E-Mail is required',
      'Password is required',
      'A user needs a role',
    ])
      await expect(page.getByText(message)).toBeVisible()
    await expect(field(page, 'Name')).toBeFocused()

    await field(page, 'Name').fill('Ulrike Übermut')
    await field(page, 'E-Mail').fill('ADMIN@kustos.test')
    await field(page, 'Password').fill('password123456')
    const roles = page.getByRole('combobox', { name: 'Roles' })
    await roles.press('ArrowDown')
    await roles.pressSequentially('read')
    await roles.press('Enter')
    await roles.press('Escape')
    await create.click()
    await expect(field(page, 'E-Mail')).toHaveAccessibleDescription('This e-mail is already taken')
    await field(page, 'E-Mail').fill(email)
    await field(page, 'Password').fill(ownPassword)
    await create.click()
    await expect(page.getByText(`${email}: created`)).toBeVisible()
    await expect(page).toHaveURL(/\/admin\/user-management$/)
    // Other tests have added users, too.
    await page.getByRole('searchbox').fill(email)
    await expect(row(page, email)).toContainText('read only')
    await expect(row(page, email)).toContainText('active')

    await chooseAction(page, email, 'Edit')
    await expect(field(page, 'Name')).toHaveValue('Ulrike Übermut')
    await expect(page.getByLabel('Password', { exact: true })).toHaveValue('')
    await expect(page.getByRole('region', { name: 'Changes to this user' })).toContainText('users: created')
    await field(page, 'Name').fill(mark)
    await page.getByRole('link', { name: 'Back to list' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click()
    await save(page).click()
    await expect(page.getByText(`${email}: saved`)).toBeVisible()
    await expect(row(page, email)).toContainText(mark)

    const dialog = page.getByRole('dialog')
    await chooseAction(page, email, 'Delete')
    await expect(dialog).toContainText('Are you sure to delete this record?')
    await dialog.getByRole('button', { name: 'Cancel' }).last().click()
    await expect(row(page, email)).toContainText('active')
    await chooseAction(page, email, 'Delete')
    await expect(dialog).toContainText('signed out immediately')
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByText(`${email}: deleted`)).toBeVisible()
    await expect(row(page, email)).toHaveAttribute('data-muted')

    await chooseAction(page, email, 'Restore')
    await expect(dialog).toContainText('Are you sure to restore this record?')
    await dialog.getByRole('button', { name: 'Restore' }).click()
    await expect(page.getByText(`${email}: restored`)).toBeVisible()
    await expect(row(page, email)).not.toHaveAttribute('data-muted')

    // Removed for the tests that follow.
    await chooseAction(page, email, 'Delete')
    await expect(dialog).toContainText('signed out immediately')
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await expect(row(page, email)).toContainText('deleted')
  })

  test('cannot delete themselves and confirms before removing their own role', async ({ openPage: page }) => {
    await visit(page, '/admin/user-management')
    await page.getByRole('button', { name: `Actions: ${administrator.email}` }).click()
    await expect(page.getByRole('menuitem', { name: 'Delete' })).toHaveCount(0)
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    const roles = page.getByRole('combobox', { name: 'Roles' })
    await roles.press('Backspace')
    await roles.press('ArrowDown')
    await roles.pressSequentially('read')
    await roles.press('Enter')
    await roles.press('Escape')
    await save(page).click()
    const dialog = page.getByRole('dialog', { name: 'Remove your own access?' })
    await expect(dialog).toContainText('view admin panel')
    await expect(dialog).toContainText('You will no longer be an administrator.')
    await dialog.getByRole('button', { name: 'Cancel' }).last().click()
    await expect(page).toHaveURL(/\/admin\/user-management\/edit\//)
  })

  test('hides deleted users with one click and keeps it in the URL', async ({ page }) => {
    await page.goto('/admin/user-management')
    await expect(page.getByLabel('Show deleted')).toBeChecked()
    await page.getByLabel('Show deleted').click()
    await expect(page).toHaveURL(/deleted=hidden/)
    await expect(page.getByRole('grid').locator('[data-muted]')).toHaveCount(0)
    await page.reload()
    await expect(page.getByLabel('Show deleted')).not.toBeChecked()
    await expect(row(page, administrator.email).first()).toBeVisible()
  })

  for (const [path, name, query] of [
    ['/admin/user-management', 'Show deleted', 'deleted=hidden'],
    ['/hosting', 'Show deleted', 'deleted=1'],
    ['/queue', 'Show background jobs', 'jobs=all'],
  ] as const)
    test(`${path}: a toolbar switch keeps text typed just before`, async ({ page }) => {
      await page.goto(path)
      const search = page.getByRole('searchbox')
      await expect(search).toBeVisible()
      const toggle = await page.getByLabel(name).elementHandle()
      await search.fill('kustos')
      // Before the debounced update of the URL.
      await toggle?.evaluate((one) => (one as HTMLElement).click())
      await expect(page).toHaveURL(
        (url) => url.search.includes(query) && url.searchParams.get('q') === 'kustos',
      )
      await expect(search).toHaveValue('kustos')
      await page.getByLabel(name).press('Space')
      await expect(page).toHaveURL((url) => url.search === '?q=kustos')
    })

  test('does not overwrite a concurrent change of a user', async ({ openPage: page, testUsers }) => {
    const user = await testUsers.add({ permissions: [] })
    await visit(page, `/admin/user-management/edit/${user.id}`)
    await field(page, 'Name').fill('Mine')
    await testUsers.change(user, { name: 'Theirs', monitoring_mail_subscription: true })
    await save(page).click()
    await expect(page.getByRole('alert')).toContainText(`${administrator.email} changed this user at`)
    await page.getByRole('button', { name: 'Load latest' }).click()
    await expect(field(page, 'Name')).toHaveValue('Theirs')
    await page.getByRole('button', { name: 'Use mine' }).click()
    await expect(field(page, 'Name')).toBeFocused()
    await expect(page.getByLabel('Monitoring alerts by e-mail')).toBeChecked()
    await save(page).click()
    await expect(page.getByText(`${user.email}: saved`)).toBeVisible()
    await visit(page, `/admin/user-management?q=${user.email}`)
    await expect(row(page, user.email)).toContainText('Mine')
  })
})

test('applies changed permissions to an open session', async ({ page, testUsers }) => {
  const user = await testUsers.add({ permissions: ['view webs'] })
  await testUsers.signIn(page, user, '/')
  const navigation = page.getByRole('navigation', { name: 'Main navigation' })
  await expect(navigation.getByRole('link', { name: 'Webs' })).toBeVisible()
  await expect(navigation.getByRole('link', { name: 'Queue' })).toHaveCount(0)

  await testUsers.grant(user, ['view queue'])
  await navigation.getByRole('link', { name: 'Queue' }).click()
  await expect(page.getByRole('heading', { name: 'Queue', level: 1 })).toBeVisible()
  await expect(navigation.getByRole('link', { name: 'Webs' })).toHaveCount(0)

  // The open screen disappears, too.
  await testUsers.grant(user, ['view webs'])
  await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()
  await expect(navigation.getByRole('link', { name: 'Queue' })).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'Hosting' })).toBeVisible()
})

test('returns to the same screen and input after the session was ended elsewhere', async ({
  page,
  testUsers,
  browser,
  baseURL,
}) => {
  const user = await testUsers.add({ permissions: [] })
  await testUsers.signInByForm(page, user, '/settings')
  await field(page, 'Name').fill('Nicht gespeichert')

  const elsewhere = await browser.newContext({ baseURL: baseURL ?? '' })
  const other = await elsewhere.newPage()
  await testUsers.signInByForm(other, user, '/settings')
  const sessions = other.getByRole('region', { name: 'Sessions' })
  await expect(sessions.getByRole('listitem')).toHaveCount(2)
  await expect(sessions.getByRole('listitem').filter({ hasText: 'this session' })).toHaveCount(1)
  await expect(sessions.getByRole('listitem').first()).toContainText(/Chrome \d+ on Linux/)
  await other.getByRole('button', { name: 'Sign out of other sessions' }).click()
  await other.getByRole('dialog').getByRole('button', { name: 'Sign out', exact: true }).click()
  await expect(sessions.getByRole('listitem')).toHaveCount(1)
  await expect(other.getByRole('button', { name: 'Sign out of other sessions' })).toBeDisabled()

  await expect(page.getByText('Your session has ended. Sign in to continue.')).toBeVisible()
  await page.getByLabel('E-Mail').fill(user.email)
  await page.getByLabel('Password', { exact: true }).fill(ownPassword)
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page.getByText('Your unsaved input was restored.')).toBeVisible()
  await expect(field(page, 'Name')).toHaveValue('Nicht gespeichert')
  await expect(sessions.getByRole('listitem')).toHaveCount(2)

  await sessions.getByRole('button', { name: /^End session: Chrome/ }).click()
  await expect(other.getByText(/: session ended$/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible()
  await elsewhere.close()
})

async function freshToken(api: Awaited<ReturnType<typeof signInAs>>) {
  await api.get('/sanctum/csrf-cookie')
  return token(api)
}
