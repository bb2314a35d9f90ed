import type { Page } from '@playwright/test'
import type { Message } from '../apps/sandbox/src/messages/index.ts'
import { expect, test, uniqueMark } from './harness/test.ts'
import { ownPassword } from './harness/test-users.ts'
import { checkInSchemes, widths } from './screens/check-screen.ts'

const emailField = (page: Page) => page.getByRole('textbox', { name: 'E-Mail', exact: true })

async function saveEmail(page: Page, email: string) {
  await emailField(page).fill(email)
  await page.getByLabel('Current password').fill(ownPassword)
  await page.getByRole('button', { name: 'Save' }).click()
}

/** The link in the latest mail to this address. */
async function readLink(email: string): Promise<string> {
  let link: string | undefined
  await expect
    .poll(async () => {
      const response = await fetch(new URL('/messages.json', process.env.KUSTOS_E2E_MESSAGES))
      const { data } = (await response.json()) as { data: Message[] }
      const texts = data.filter(({ recipient }) => recipient === email).map(({ text }) => text)
      link = /\S+#email-change=\S+/.exec(texts.join('\n'))?.[0]
      return link
    })
    .toBeDefined()
  return link ?? ''
}

test('a new e-mail counts once its link is confirmed', async ({ page, testUsers }) => {
  test.skip(!process.env.KUSTOS_E2E_MESSAGES, 'The messages of a console started elsewhere are unknown.')
  const user = await testUsers.add({ permissions: ['view webs'] })
  const email = `${uniqueMark()}@kustos.test`
  const pending = page.getByText(`Open the link that was sent to ${email} within an hour.`)
  await testUsers.signIn(page, user, '/settings')
  await saveEmail(page, email)
  await expect(pending).toBeVisible()
  await expect(emailField(page)).toHaveValue(user.email)
  for (const width of widths) await checkInSchemes(page, { name: 'email-change-pending', width })

  // Opened where nobody is signed in; the old e-mail signs in until then.
  const link = await readLink(email)
  await page.context().clearCookies()
  await page.goto('/')
  await testUsers.signInByForm(page, user, link)
  await expect(page.getByText(`Use ${email} as your new e-mail?`)).toBeVisible()
  for (const width of widths) await checkInSchemes(page, { name: 'email-change-link', width })
  const settings = await page.context().newPage()
  await settings.goto('/settings')
  const pendingThere = settings.getByText(`Open the link that was sent to ${email} within an hour.`)
  await expect(pendingThere).toBeVisible()
  const name = settings.getByRole('textbox', { name: 'Name', exact: true })
  await name.fill('Typed Meanwhile')
  await page.getByRole('button', { name: 'Use new e-mail' }).click()
  await expect(page.getByText(`${email}: is your e-mail now`)).toBeVisible()
  await expect(emailField(settings)).toHaveValue(email)
  await expect(pendingThere).toHaveCount(0)
  await expect(name).toHaveValue('Typed Meanwhile')
  await settings.getByRole('button', { name: 'Save' }).click()
  await expect(settings.getByText('Typed Meanwhile: settings saved')).toBeVisible()
  await settings.close()
  await expect(emailField(page)).toHaveValue(email)
  await expect(page).toHaveURL(/\/settings$/)

  // Used twice.
  await page.goto('/')
  await page.goto(link)
  await page.getByRole('button', { name: 'Use new e-mail' }).click()
  await expect(page.getByRole('main').getByRole('alert')).toHaveText(
    'This link is no longer valid. Change your e-mail again.',
  )
  await page.getByRole('button', { name: 'Not now' }).click()
  await expect(page.getByRole('button', { name: 'Use new e-mail' })).toHaveCount(0)
})

test('a requested e-mail can be withdrawn', async ({ page, testUsers }) => {
  const user = await testUsers.add({ permissions: ['view webs'] })
  const email = `${uniqueMark()}@kustos.test`
  await testUsers.signIn(page, user, '/settings')
  await saveEmail(page, email)
  await page.getByRole('button', { name: `Keep ${user.email}` }).click()
  await expect(page.getByText(`${email}: e-mail change cancelled`)).toBeVisible()
  await page.reload()
  await expect(emailField(page)).toHaveValue(user.email)
  await expect(page.getByText(`Open the link that was sent to ${email}`)).toHaveCount(0)
})
