import type { Page } from '@playwright/test'
import { administrator } from '../harness/people.ts'
import { sessionOf } from '../harness/system.ts'
import { expect, test } from '../harness/test.ts'
import { addressOf } from './address.ts'
import { inFours, placeholders, screens, views } from './table.ts'
import { englishOn } from './words.ts'

const inGerman = (page: Page) =>
  page.addInitScript(() => localStorage.setItem('kustos.language', JSON.stringify('de')))

const expectGerman = async (page: Page, name: string) =>
  expect.soft(await englishOn(page), `English on ${name}`).toEqual([])

/** The forms whose errors say what the contract asks for, with the button that sends them. */
const submitOf: Readonly<Record<string, string>> = {
  'hosting-web-add': 'Anlegen',
  newweb: 'Anfordern',
  forkweb: 'Anfordern',
  newschnuppertagweb: 'Anfordern',
  'admin-user-management-add': 'Anlegen',
}

test.describe('in German', () => {
  test.use({ storageState: async ({ storageState: _ }, use) => use(sessionOf(administrator)) })

  for (const four of inFours(Object.entries({ ...screens, ...views })))
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

  test('no English on what opens over the list', async ({ page }) => {
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

test('the login screen and what it refuses are German too', async ({ page }) => {
  await inGerman(page)
  await page.goto('/')
  await page.getByLabel('E-Mail').fill('niemand')
  await page.getByLabel('Passwort', { exact: true }).fill('falsch')
  await expect(page.getByText('Die E-Mail muss gültig sein')).toBeVisible()
  await expectGerman(page, 'the login screen')
})
