import { storageStateOf } from '../harness/global-setup.ts'
import { administrator } from '../harness/seeded-users.ts'
import { expect, test } from '../harness/test.ts'
import { visit } from '../harness/visit.ts'
import { expectGerman, switchToEnglish, switchToGerman } from './english-texts.ts'

test.describe('the administrator', () => {
  test.use({ storageState: async ({ storageState: _ }, use) => use(storageStateOf(administrator)) })

  test('no English in overlays of the list', async ({ openPage: page }) => {
    await visit(page, '/hosting')
    await expect(page.getByRole('rowheader').first()).toBeVisible()
    await switchToGerman(page)
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
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await switchToEnglish(page)
  })
})

test('the login screen and its errors are German', async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem('kustos.language', JSON.stringify('de')))
  await page.goto('/')
  await page.getByLabel('E-Mail').fill('niemand')
  await page.getByLabel('Passwort', { exact: true }).fill('falsch')
  await expect(page.getByText('Die E-Mail-Adresse muss gültig sein')).toBeVisible()
  await expectGerman(page, 'the login screen')
})
