import type { Page } from '@playwright/test'
import { administrator, monitoring, password, signInAs, token } from './harness/people.ts'
import { sessionOf } from './harness/system.ts'
import { expect, test, uniqueMark } from './harness/test.ts'

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const save = (page: Page) => page.getByRole('button', { name: 'Save' })

async function openSettings(page: Page) {
  await page.goto('/settings')
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()
}

test.describe('own settings', () => {
  test.use({ storageState: async ({ storageState: _ }, use) => use(sessionOf(monitoring)) })

  test('show who one is, and keep a new name', async ({ page }) => {
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
    await expect(page.getByRole('button', { name: `User menu of ${name}` })).toBeVisible()
    await page.reload()
    await expect(field(page, 'Name')).toHaveValue(name)
    await field(page, 'Name').fill(before)
    await save(page).click()
    await expect(page.getByText(`${before}: settings saved`)).toBeVisible()
  })

  test('say what is wrong under the field', async ({ page }) => {
    await openSettings(page)
    await field(page, 'Name').fill('')
    await page.getByLabel('Password', { exact: true }).fill('short')
    await save(page).click()
    await expect(page.getByText('Name is required')).toBeVisible()
    await expect(page.getByText('Must have at least 12 characters')).toBeVisible()

    await field(page, 'Name').fill('Jörg')
    await page.getByLabel('Password', { exact: true }).fill('')
    await field(page, 'E-Mail').fill(administrator.email)
    await save(page).click()
    await expect(field(page, 'E-Mail')).toHaveAttribute('aria-invalid', 'true')
    await expect(field(page, 'E-Mail')).toHaveAccessibleDescription(/already/)
  })

  test('turn the console German and dark, for this browser', async ({ page }) => {
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

test('a new password ends the other sessions, and only the new one signs in', async ({ page, baseURL }) => {
  const lead = { email: 'team-lead@kustos.test', role: 'project management' }
  const elsewhere = await signInAs(lead, baseURL ?? '')
  const changed = `${password}-${uniqueMark()}`
  await page.goto('/settings')
  await page.getByLabel('E-Mail').fill(lead.email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()
  await page.getByLabel('Password', { exact: true }).fill(changed)
  await save(page).click()
  await expect(page.getByText(/: settings saved$/)).toBeVisible()

  expect((await elsewhere.get('/api/users/current')).status()).toBe(401)
  await expect(signInAs(lead, baseURL ?? '')).rejects.toThrow('401')
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()

  // Back to what it was, for whoever walks here next.
  await page.getByLabel('Password', { exact: true }).fill(password)
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

async function freshToken(api: Awaited<ReturnType<typeof signInAs>>) {
  await api.get('/sanctum/csrf-cookie')
  return token(api)
}
