import type { Page } from '@playwright/test'
import { storageStateOf } from '../harness/global-setup.ts'
import { administrator } from '../harness/seeded-users.ts'
import { expect, test } from '../harness/test.ts'
import { addressOf } from './address.ts'
import { englishOn } from './english-texts.ts'
import { groupsOfFour, placeholders, screens, views } from './screens.ts'

const inGerman = (page: Page) =>
  page.addInitScript(() => localStorage.setItem('kustos.language', JSON.stringify('de')))

const expectGerman = async (page: Page, name: string) =>
  expect.soft(await englishOn(page), `English on ${name}`).toEqual([])

/** The submit buttons of forms that show validation errors. */
const submitOf: Readonly<Record<string, string>> = {
  'hosting-web-add': 'Anlegen',
  newweb: 'Anfordern',
  forkweb: 'Anfordern',
  newschnuppertagweb: 'Anfordern',
  'admin-user-management-add': 'Anlegen',
}

test.describe('in German', () => {
  test.use({ storageState: async ({ storageState: _ }, use) => use(storageStateOf(administrator)) })

  for (const four of groupsOfFour(Object.entries({ ...screens, ...views })))
    test(`no English on ${four.map(([name]) => name).join(', ')}`, async ({ page }) => {
      await inGerman(page)
      for (const [name, view] of four)
        await test.step(name, async () => {
          await page.goto(await addressOf(page, view))
          await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible()
          await expect(placeholders(page)).toHaveCount(0)
          const submit = submitOf[name]
          if (submit !== undefined) {
            await page.getByRole('button', { name: submit, exact: true }).click()
            await expect(page.locator('[aria-invalid=true]').first()).toBeVisible()
          }
          await expectGerman(page, name)
        })
    })

  test('no English in overlays of the list', async ({ page }) => {
    await inGerman(page)
    await page.goto('/hosting')
    await expect(page.getByRole('rowheader').first()).toBeVisible()
    const menu = page.getByRole('button', { name: /^Aktionen: / }).first()
    await page.getByRole('button', { name: 'Spalten', exact: true }).click()
    await expect(page.getByRole('menu')).toBeVisible()
    await expectGerman(page, 'the menu of columns')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'FQDN filtern' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectGerman(page, 'a filter')
    await page.keyboard.press('Escape')
    await menu.click()
    await expect(page.getByRole('menu')).toBeVisible()
    await expectGerman(page, 'the menu of a row')
    await page.getByRole('menuitem', { name: 'Löschen' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectGerman(page, 'a confirmation')
    await page.keyboard.press('Escape')
    await page.keyboard.press('ControlOrMeta+K')
    await expect(page.getByRole('option').filter({ visible: true }).first()).toBeVisible()
    await expectGerman(page, 'the palette')
  })
})

test('the login screen and its errors are German', async ({ page }) => {
  await inGerman(page)
  await page.goto('/')
  await page.getByLabel('E-Mail').fill('niemand')
  await page.getByLabel('Passwort', { exact: true }).fill('falsch')
  await expect(page.getByText('Die E-Mail muss gültig sein')).toBeVisible()
  await expectGerman(page, 'the login screen')
})
