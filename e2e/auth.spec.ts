import type { Page } from '@playwright/test'
import { storageStateOf } from './harness/global-setup.ts'
import { administrator, password, readOnly } from './harness/seeded-users.ts'
import { expect, test } from './harness/test.ts'

const email = (page: Page) => page.getByLabel('E-Mail')
const secret = (page: Page) => page.getByLabel('Password', { exact: true })
const loginButton = (page: Page) => page.getByRole('button', { name: 'Login' })
const dashboard = (page: Page) => page.getByRole('heading', { name: 'Dashboard', level: 1 })

test.describe('a visitor', () => {
  test('sees only the login screen, whatever the URL', async ({ page }) => {
    for (const path of ['/', '/hosting', '/settings', '/no/such/path']) {
      await page.goto(path)
      await expect(loginButton(page)).toBeVisible()
      await expect(page.getByRole('navigation')).toHaveCount(0)
    }
  })

  test('sees which fields are missing and cannot sign in without them', async ({ page }) => {
    await page.goto('/')
    await expect(email(page)).toBeFocused()
    await expect(loginButton(page)).toBeDisabled()

    await secret(page).focus()
    await expect(page.getByText('E-Mail is required')).toBeVisible()
    await email(page).fill('nobody')
    await secret(page).focus()
    await expect(page.getByText('E-Mail must be valid')).toBeVisible()
    await email(page).focus()
    await expect(page.getByText('Password is required')).toBeVisible()

    await email(page).fill('nobody@kustos.test')
    await secret(page).fill('x')
    await expect(loginButton(page)).toBeEnabled()
  })

  test('chooses the language by keyboard before signing in', async ({ page }) => {
    await page.goto('/')
    await page.getByRole('button', { name: 'Deutsch' }).press('Enter')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByLabel('Passwort', { exact: true })).toBeVisible()
    await page.reload()
    await page.getByRole('button', { name: 'English' }).press('Enter')
    await expect(loginButton(page)).toBeVisible()
  })

  test('learns only that the credentials are invalid', async ({ page }) => {
    await page.goto('/')
    for (const address of [administrator.email, 'nobody@kustos.test', 'former@kustos.test']) {
      await email(page).fill(address)
      await secret(page).fill('not the password')
      await loginButton(page).click()
      await expect(page.getByRole('alert')).toHaveText(/Credentials not valid! Try again\.\.\./)
      await expect(loginButton(page)).toBeEnabled()
    }
  })

  test('signs in with Enter and opens the requested URL', async ({ page }) => {
    await page.goto('/hosting?q=test')
    await email(page).fill(administrator.email)
    await secret(page).fill(password)
    await secret(page).press('Enter')
    await expect(page.getByRole('grid')).toBeVisible()
    await expect(page).toHaveURL(/\/hosting\?q=test$/)
  })

  test('signs out after a confirmation, on the server, too', async ({ page }) => {
    await page.goto('/')
    await email(page).fill(readOnly.email)
    await secret(page).fill(password)
    await page.getByLabel('Remember me').check()
    await loginButton(page).click()
    await expect(dashboard(page)).toBeVisible()
    // With the prefix __Host- over TLS.
    const session = (await page.context().cookies()).find(({ name }) => name.endsWith('kustos_session'))
    expect(session?.httpOnly).toBe(true)
    expect((session?.expires ?? 0) * 1000).toBeGreaterThan(Date.now() + 29 * 24 * 3600 * 1000)

    await page.goto('/hosting')
    const menu = page.getByRole('button', { name: /^User menu/ })
    await menu.click()
    await page.getByRole('menuitem', { name: 'Logout' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText('Do you want really to log off?')
    await dialog.getByRole('button', { name: 'Cancel' }).last().click()
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('grid')).toBeVisible()

    await menu.click()
    await page.getByRole('menuitem', { name: 'Logout' }).click()
    await dialog.getByRole('button', { name: 'Yes' }).click()
    await expect(loginButton(page)).toBeVisible()
    await expect(page).toHaveURL(/\/$/)
    const replayed = await page.request.get('/api/users/current', {
      headers: { cookie: `${session?.name}=${session?.value}` },
    })
    expect(replayed.status()).toBe(401)
  })

  test('signs in again after the session ended and returns to the same screen', async ({ page }) => {
    await page.goto('/settings')
    await email(page).fill(readOnly.email)
    await secret(page).fill(password)
    await loginButton(page).click()
    await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()
    await page.context().clearCookies()
    await page.reload()
    await expect(loginButton(page)).toBeVisible()
    await email(page).fill(readOnly.email)
    await secret(page).fill(password)
    await loginButton(page).click()
    await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()
  })
})

test.describe('a user who may only view webs', () => {
  test.use({ storageState: async ({ storageState: _ }, use) => use(storageStateOf(readOnly)) })

  test('is redirected to the dashboard from a screen without permission', async ({ page }) => {
    for (const path of ['/hosting/add', '/hosting/edit/1']) {
      await page.goto(path)
      await expect(dashboard(page)).toBeVisible()
      await expect(page).toHaveURL(/\/$/)
    }
    await expect(page.getByText('You don’t have access to “Edit web”')).toBeVisible()
  })

  test('sees no actions without permission', async ({ page }) => {
    await page.goto('/')
    const area = page.getByRole('region', { name: 'Hosting' })
    await expect(area.getByRole('link', { name: 'Webs', exact: true })).toBeVisible()
    await expect(area.getByRole('link', { name: /Add|Create/ })).toHaveCount(0)
    const navigation = page.getByRole('navigation', { name: 'Main navigation' })
    await expect(navigation.getByRole('link', { name: /Add|Create/ })).toHaveCount(0)
    await navigation.getByRole('link', { name: 'Webs' }).click()
    await expect(page.getByRole('grid')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Create' })).toHaveCount(0)
    await expect(page.getByLabel('Show deleted')).toHaveCount(0)
    await page
      .getByRole('button', { name: /^Actions: / })
      .first()
      .click()
    await expect(page.getByRole('menuitem', { name: 'Edit' })).toHaveCount(0)
    await expect(page.getByRole('menuitem', { name: 'Delete' })).toHaveCount(0)
  })
})

test('a user who loses the permission for an open form is told why, and gets the input back with the permission', async ({
  page,
  testUsers,
  testWebs,
}) => {
  const web = await testWebs.add()
  const permissions = ['view webs', 'edit webs']
  const user = await testUsers.add({ permissions })
  await testUsers.signIn(page, user, `/hosting/edit/${web.id}`)
  await page.getByLabel('Comment').fill('half a sentence')
  await testUsers.grant(user, ['view webs'])
  await expect(page.getByText('You don’t have access to “Edit web”')).toBeVisible()
  await expect(page.getByText('Your input is kept in this tab')).toBeVisible()
  await expect(dashboard(page)).toBeVisible()
  await testUsers.grant(user, permissions)
  await page.getByRole('button', { name: 'Close notification' }).click()
  await page.keyboard.press('ControlOrMeta+K')
  await page.getByRole('combobox', { name: 'Search webs, screens and actions' }).fill(web.fqdn)
  await page.keyboard.press('Enter')
  await page.getByRole('option', { name: 'Edit', exact: true }).click()
  await expect(page.getByLabel('Comment')).toHaveValue('half a sentence')
})

test.describe('an administrator', () => {
  test.use({ storageState: async ({ storageState: _ }, use) => use(storageStateOf(administrator)) })

  test('is redirected from old bookmarks to the web list', async ({ page }) => {
    await page.goto('/hosting/webs')
    await expect(page.getByRole('grid')).toBeVisible()
    await expect(page).toHaveURL(/\/hosting$/)
  })

  test('is signed in after a reload if the server could not be asked on the first visit', async ({
    page,
    browserErrors,
  }) => {
    await page.route('**/api/users/current', (route) => route.fulfill({ status: 503 }))
    await page.goto('/')
    await expect(loginButton(page)).toBeVisible()
    await page.unrouteAll()
    await page.reload()
    await expect(dashboard(page)).toBeVisible()
    expect(browserErrors.splice(0).every((message) => message.includes('status of 503'))).toBe(true)
  })

  test('sees that a path was not found, with a link to the dashboard', async ({ page }) => {
    await page.goto('/no/such/path')
    await expect(page.getByRole('heading', { name: '404' })).toBeVisible()
    await expect(page.getByText('The path /no/such/path was not found!')).toBeVisible()
    await page.getByRole('link', { name: 'Back to dashboard' }).click()
    await expect(dashboard(page)).toBeVisible()
  })
})
