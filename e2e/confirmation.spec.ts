import type { Page } from '@playwright/test'
import { endSessions, queryConsole } from './harness/database.ts'
import { expect, test, uniqueMark } from './harness/test.ts'
import { ownPassword, type TestUser, type TestUsers } from './harness/test-users.ts'
import { checkInSchemes, widths } from './screens/check-screen.ts'
import { expectGerman } from './screens/english-texts.ts'

/** As if the user had signed in more than ten minutes ago. */
const forgetConfirmation = ({ id }: TestUser) =>
  queryConsole("update sessions set confirmed_at = now() - interval '10 minutes' where user_id = $1", id)

async function openRoleDialog(page: Page, testUsers: TestUsers, user: TestUser, name: string) {
  await testUsers.signIn(page, user, '/admin/roles')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  const form = page.getByRole('dialog', { name: 'Create role' })
  await form.getByRole('textbox', { name: 'Name' }).fill(name)
  await forgetConfirmation(user)
  return form
}

const question = (page: Page) => page.getByRole('dialog', { name: 'Confirm your password' })
const passwordIn = (page: Page) => question(page).getByLabel('Password', { exact: true })

test.describe('a sensitive change after ten minutes', () => {
  test('asks for the password, by keyboard alone, and repeats the call', async ({ page, testUsers }) => {
    const user = await testUsers.add({ permissions: ['view admin panel'] })
    const name = uniqueMark()
    const form = await openRoleDialog(page, testUsers, user, name)
    await page.keyboard.press('Enter')
    await expect(passwordIn(page)).toBeFocused()

    // Escape closes the question alone, and nothing is lost.
    await page.keyboard.press('Escape')
    await expect(question(page)).toHaveCount(0)
    await expect(form.getByRole('alert')).toContainText('Password confirmation required.')
    await expect(form.getByRole('textbox', { name: 'Name' })).toHaveValue(name)

    await form.getByRole('textbox', { name: 'Name' }).press('Enter')
    await expect(passwordIn(page)).toBeFocused()
    await page.keyboard.type('not the password')
    await page.keyboard.press('Enter')
    await expect(passwordIn(page)).toHaveAccessibleDescription('This is not your current password')
    await page.keyboard.type(ownPassword)
    await page.keyboard.press('Enter')
    await expect(page.getByText(`${name}: created`)).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)

    // No second question within ten minutes.
    await page.getByRole('button', { name: `Actions: ${name}` }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByText(`${name}: deleted`)).toBeVisible()
  })

  test(`asks in an accessible dialog at ${widths.join(' and ')} px`, async ({ page, testUsers }) => {
    const user = await testUsers.add({ permissions: ['view admin panel'] })
    await openRoleDialog(page, testUsers, user, uniqueMark())
    await page.keyboard.press('Enter')
    await expect(passwordIn(page)).toBeFocused()
    for (const width of widths)
      await checkInSchemes(page, { name: 'confirm-password', width, within: '[role=dialog]' })
  })

  test('keeps the form while the session ends, and asks in German', async ({ page, testUsers }) => {
    const user = await testUsers.add({ permissions: ['view admin panel'] })
    await page.addInitScript(() => localStorage.setItem('kustos.language', JSON.stringify('de')))
    await page.goto('/admin/user-management/add')
    const field = (name: string) => page.getByRole('textbox', { name, exact: true })
    const signIn = async () => {
      await page.getByLabel('E-Mail').fill(user.email)
      await page.getByLabel('Passwort', { exact: true }).fill(ownPassword)
      await page.getByRole('button', { name: 'Anmelden' }).click()
    }
    await signIn()
    const email = `${uniqueMark()}@kustos.test`
    await field('Name').fill('Ulrike')
    await field('E-Mail').fill(email)
    await field('Passwort').fill('noch ein Passwort, lang')
    await page.getByRole('combobox', { name: 'Rollen' }).click()
    await page.getByRole('option', { name: user.role }).click()
    await page.keyboard.press('Escape')
    await forgetConfirmation(user)
    await page.getByRole('button', { name: 'Anlegen' }).click()
    const dialog = page.getByRole('dialog', { name: 'Passwort bestätigen' })
    await expect(dialog).toBeVisible()
    await expectGerman(page, 'the question for the password')

    // The event stream tells the page that its session has ended, and the page asks for a new sign-in.
    await dialog.getByLabel('Passwort', { exact: true }).fill(ownPassword)
    await endSessions(user)
    await expect(page.getByRole('button', { name: 'Anmelden' })).toBeVisible()
    await signIn()
    await expect(field('E-Mail')).toHaveValue(email)
    await expect(dialog).toHaveCount(0)

    // Asked again after the session that was asked first has ended.
    await forgetConfirmation(user)
    await field('Passwort').fill('noch ein Passwort, lang')
    await page.getByRole('button', { name: 'Anlegen' }).click()
    await dialog.getByLabel('Passwort', { exact: true }).fill(ownPassword)
    await page.keyboard.press('Enter')
    await expect(page.getByText(`${email}: angelegt`)).toBeVisible()

    // Removed for the tests that follow.
    const [created] = await queryConsole<{ id: number }>('select id from users where email = $1', email)
    await testUsers.delete({ ...user, id: created?.id ?? 0 })
  })
})
