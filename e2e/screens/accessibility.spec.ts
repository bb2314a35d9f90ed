import type { ScreenName } from '../../apps/web/src/app/screens.ts'
import { storageStateOf } from '../harness/global-setup.ts'
import { waitUntilSettled } from '../harness/injection.ts'
import { administrator, type SeededUser, seededUsers } from '../harness/seeded-users.ts'
import { expect, test } from '../harness/test.ts'
import { visit } from '../harness/visit.ts'
import { checkInSchemes, checkScreen, cutLabelsOn, setAppearance, widths } from './check-screen.ts'
import { expectGerman, switchToEnglish, switchToGerman } from './english-texts.ts'
import { recordFailedRequests } from './failed-requests.ts'
import { groupsOfFour, screens, views } from './screens.ts'

test.describe('the administrator', () => {
  test.use({ storageState: async ({ storageState: _ }, use) => use(storageStateOf(administrator)) })

  for (const four of groupsOfFour(Object.entries(views)))
    test(`${four.map(([name]) => name).join(', ')}: accessible, in German, without failed requests and sideways scrolling`, async ({
      openPage: page,
    }) => {
      test.setTimeout(120_000)
      for (const [name, view] of four)
        await test.step(name, async () => {
          // The view before might ask again for what is missing.
          await visit(page, '/no/such/path')
          const failedRequests = recordFailedRequests(page)
          await page.setViewportSize({ width: 1440, height: 900 })
          await visit(page, view.path)
          await view.expectLoaded(page)
          await setAppearance(page, 1440, 'light')
          // Views consist of parts that screens.spec.ts checks at both widths and in both schemes.
          await checkScreen(page, { name, width: 1440 }, 'light')
          await setAppearance(page, 390, 'dark')
          await checkScreen(page, { name, width: 390 }, 'dark')
          const unexpected = failedRequests().filter((request) => !view.expectedFailures?.includes(request))
          expect.soft(unexpected, `failed requests of ${name}`).toEqual([])
        })
      await test.step('in German', async () => {
        await page.setViewportSize({ width: 1440, height: 900 })
        await switchToGerman(page)
        for (const [name, view] of four.toReversed()) {
          await visit(page, view.path)
          await waitUntilSettled(page)
          await expectGerman(page, name)
          expect.soft(await cutLabelsOn(page), `labels that are cut on ${name} in German`).toEqual([])
        }
        await switchToEnglish(page)
      })
    })
})

/** Screens that look different for a role, besides those that every role sees. */
const screensOf: Readonly<Record<string, readonly ScreenName[]>> = {
  hosting: ['hosting-web-add', 'hosting-web-edit'],
  'project management': ['hosting-web-add', 'hosting-web-edit'],
  monitoring: ['monitoring-webs', 'monitoring-events', 'monitoring-webs-show', 'queue'],
  'read only': [],
}
const screensOfEveryRole = ['home', 'hosting-web-list', 'hosting-web-show', 'user-settings'] as const

for (const user of seededUsers)
  test.describe(user.role, () => {
    test.use({ storageState: async ({ storageState: _ }, use) => use(storageStateOf(user)) })

    test('has accessible screens without failed requests and sideways scrolling', async ({ page }) => {
      test.setTimeout(120_000)
      for (const screen of [...screensOfEveryRole, ...(screensOf[user.role] ?? [])])
        await test.step(screen, async () => {
          const name = `${screen}-${fileName(user)}`
          await page.setViewportSize({ width: 1440, height: 900 })
          const failedRequests = recordFailedRequests(page)
          await visit(page, screens[screen].path)
          await screens[screen].expectLoaded(page)
          // Once, because the administrator's test checks all widths and schemes.
          await checkScreen(page, { name, width: 1440, withShell: screen === 'home' }, 'light')
          expect.soft(failedRequests(), `failed requests of ${name}`).toEqual([])
        })
    })
  })

test('the login screen is accessible and does not scroll sideways', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible()
  for (const width of widths) await checkInSchemes(page, { name: 'login', width })
  await page.getByLabel('E-Mail').fill('nobody')
  await page.getByLabel('Password', { exact: true }).focus()
  await expect(page.getByText('E-Mail must be valid')).toBeVisible()
  for (const width of widths) await checkInSchemes(page, { name: 'login-invalid', width })
})

const fileName = ({ role }: SeededUser) => role.replaceAll(' ', '-')
