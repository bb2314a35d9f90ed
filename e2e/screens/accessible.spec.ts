import type { Page } from '@playwright/test'
import type { ScreenName } from '../../apps/web/src/app/screens.ts'
import { administrator, type Person, people } from '../harness/people.ts'
import { sessionOf } from '../harness/system.ts'
import { expect, test } from '../harness/test.ts'
import { addressOf } from './address.ts'
import { look, lookInBoth, wear, widths } from './look.ts'
import { watchRequests } from './requests.ts'
import { inFours, screens, views } from './table.ts'

/** What somebody begins with on a screen, where that shows more of it. */
const begun: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  'hosting-web-add': async (page) => {
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await expect(page.getByText('Customer is required')).toBeVisible()
  },
  'hosting-tracking-show': async (page) => {
    const first = page.locator('summary').first()
    if (await first.isVisible()) await first.click()
  },
  'limitis-externaldomains-add': async (page) => {
    const lines = [
      'https://wrong.test/',
      'walk-neu.test',
      'WALK-NEU.test',
      'two words',
      `${'x'.repeat(90)}.test`,
    ]
    await page.getByRole('textbox', { name: 'FQDNs' }).fill(lines.join('\n'))
    await page.getByRole('button', { name: 'Add one domain' }).click()
    await expect(page.getByText('Domain provider is required')).toBeVisible()
  },
  'admin-user-management-add': async (page) => {
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await expect(page.getByText('Name is required')).toBeVisible()
  },
  'admin-roles': async (page) => page.getByRole('checkbox', { name: 'view queue: read only' }).check(),
}

test.describe('the administrator', () => {
  test.use({ storageState: async ({ storageState: _ }, use) => use(sessionOf(administrator)) })

  for (const four of inFours(Object.entries({ ...screens, ...views })))
    test(`${four.map(([name]) => name).join(', ')}: accessible, quiet and as wide as the window`, async ({
      page,
    }) => {
      test.setTimeout(120_000)
      for (const [name, view] of four)
        await test.step(name, async () => {
          await page.setViewportSize({ width: 1440, height: 900 })
          const asked = watchRequests(page)
          await page.goto(await addressOf(page, view))
          await view.arrived(page)
          await begun[name]?.(page)
          if (name in screens) for (const width of widths) await lookInBoth(page, { name, width })
          else await lookTwice(page, name)
          const unforeseen = asked.failed().filter((request) => !view.refused?.includes(request))
          expect.soft(unforeseen, `failed requests of ${name}`).toEqual([])
        })
    })
})

/** What the others see besides what everybody sees. The administrator sees it all, and is looked at above. */
const screensOf: Readonly<Record<string, readonly ScreenName[]>> = {
  hosting: ['hosting-web-add', 'hosting-web-edit'],
  'project management': ['hosting-web-add', 'hosting-web-edit'],
  monitoring: ['monitoring-webs', 'monitoring-events', 'monitoring-webs-show', 'queue'],
  'read only': [],
}
const everybodys = ['home', 'hosting-web-list', 'hosting-web-show', 'user-settings'] as const

for (const person of people)
  test.describe(person.role, () => {
    test.use({ storageState: async ({ storageState: _ }, use) => use(sessionOf(person)) })

    test('has screens that are accessible, quiet and as wide as the window', async ({ page }) => {
      test.setTimeout(120_000)
      for (const screen of [...everybodys, ...(screensOf[person.role] ?? [])])
        await test.step(screen, async () => {
          const name = `${screen}-${fileName(person)}`
          await page.setViewportSize({ width: 1440, height: 900 })
          const asked = watchRequests(page)
          await page.goto(screens[screen].path)
          await screens[screen].arrived(page)
          // Less of what is looked at in all ways above.
          await look(page, { name, width: 1440 }, 'light')
          expect.soft(asked.failed(), `failed requests of ${name}`).toEqual([])
        })
    })
  })

test('the login screen is accessible, quiet and as wide as the window', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible()
  for (const width of widths) await lookInBoth(page, { name: 'login', width })
  await page.getByLabel('E-Mail').fill('nobody')
  await page.getByLabel('Password', { exact: true }).focus()
  await expect(page.getByText('E-Mail must be valid')).toBeVisible()
  for (const width of widths) await lookInBoth(page, { name: 'login-invalid', width })
})

/** Made of what is looked at in all ways elsewhere: once wide and light, once narrow and dark. */
async function lookTwice(page: Page, name: string): Promise<void> {
  await wear(page, 1440, 'light')
  await look(page, { name, width: 1440 }, 'light')
  await wear(page, 390, 'dark')
  await look(page, { name, width: 390 }, 'dark')
}

const fileName = ({ role }: Person) => role.replaceAll(' ', '-')
