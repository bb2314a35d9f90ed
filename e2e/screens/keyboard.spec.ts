import type { Page } from '@playwright/test'
import { storageStateOf } from '../harness/global-setup.ts'
import { administrator, password } from '../harness/seeded-users.ts'
import { expect, test, uniqueMark } from '../harness/test.ts'
import { visit } from '../harness/visit.ts'
import { expectVisibleFocus, tabTo } from './focus.ts'

/** The part of the grid that Tab reaches. */
const tabStop = (page: Page) => page.locator('[data-stop][tabindex="0"]')
const stop = (page: Page) => page.locator('[data-stop]:focus')
const dialog = (page: Page) => page.getByRole('dialog')
const press = async (page: Page, ...keys: readonly string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}

test('signs in by keyboard and opens the requested URL', async ({ page }) => {
  await page.goto('/queue')
  await expect(page.getByLabel('E-Mail')).toBeFocused()
  await page.keyboard.type(administrator.email)
  await tabTo(page, page.getByLabel('Password', { exact: true }))
  await page.keyboard.type(password)
  await tabTo(page, page.getByRole('button', { name: 'Show password' }))
  await press(page, 'Shift+Tab', 'Enter')
  await expect(page.getByRole('heading', { name: 'Queue', level: 1 })).toBeVisible()
  await expect(page.getByRole('main')).toBeFocused()
  await tabTo(page, page.getByRole('link', { name: 'Webs' }).first())
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Webs', level: 1 })).toBeVisible()
})

test.describe('an administrator with only a keyboard', () => {
  test.use({ storageState: async ({ storageState: _ }, use) => use(storageStateOf(administrator)) })

  test('finds a web in the list, filters and requests an action', async ({ openPage: page, testWebs }) => {
    const mark = uniqueMark()
    const web = await testWebs.add({ fqdn: `${mark}-0.test` })
    await testWebs.add({ fqdn: `${mark}-1.test` })
    await visit(page, '/hosting')
    await expect(page.getByRole('rowheader').first()).toBeVisible()
    await page.keyboard.press('/')
    await page.keyboard.type(mark)
    await expect(page.getByRole('rowheader')).toHaveCount(2)

    await test.step('arrow keys move a visible focus in the grid', async () => {
      await tabTo(page, tabStop(page))
      await press(page, 'ArrowDown', 'ArrowDown')
      await expect(stop(page)).toHaveAttribute('data-stop', '1:0:0')
      await expectVisibleFocus(page)
      // The heading of the rows' menus holds the grid's tab stop, too, or Tab would no longer reach the grid.
      await press(page, 'End', 'Control+ArrowUp')
      await expect(stop(page)).toHaveText('Actions')
      await expectVisibleFocus(page)
      await press(page, 'Home', 'ArrowRight')
      await expect(stop(page)).toHaveAttribute('data-stop', /^-1:1:/)
    })
    await test.step('a filter opens, takes a word and returns the focus', async () => {
      const filter = page.getByRole('button', { name: 'Filter FQDN' })
      for (let step = 0; step < 30 && !(await filter.evaluate((one) => one.matches(':focus'))); step++)
        await page.keyboard.press('ArrowRight')
      await expectVisibleFocus(page)
      await page.keyboard.press('Enter')
      await expect(dialog(page)).toBeVisible()
      await tabTo(page, dialog(page).getByRole('textbox', { name: 'Value' }))
      await page.keyboard.type(`${mark}-0`)
      await expect(page.getByRole('rowheader')).toHaveCount(1)
      await page.keyboard.press('Escape')
      await expect(dialog(page)).toHaveCount(0)
      await expect(page.getByRole('button', { name: /^Filter FQDN/ })).toBeFocused()
    })
    await test.step('the row menu opens an action, and both return the focus', async () => {
      await press(page, 'ArrowDown', 'End', 'Enter')
      await expect(page.getByRole('menu')).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(page.getByRole('menu')).toHaveCount(0)
      const opener = page.getByRole('button', { name: `Actions: ${web.fqdn}` })
      const at = stop(page).or(opener.and(page.locator(':focus')))
      await expect(at).toHaveCount(1)
      await expectVisibleFocus(page)
      for (const isSent of [false, true]) {
        await page.keyboard.press('Enter')
        await expect(page.getByRole('menu')).toBeVisible()
        await arrowTo(page, 'Re-scan')
        await page.keyboard.press('Enter')
        await expect(dialog(page)).toBeVisible()
        if (isSent) {
          await tabTo(page, dialog(page).getByRole('button', { name: 'Re-scan', exact: true }))
          await page.keyboard.press('Enter')
        } else await page.keyboard.press('Escape')
        await expect(dialog(page)).toHaveCount(0)
        await expect(at).toHaveCount(1)
      }
      await expect(page.getByText(`${web.fqdn}: re-scan requested`)).toBeVisible()
    })
    await test.step('the palette returns the focus', async () => {
      const before = await stop(page).getAttribute('data-stop')
      await page.keyboard.press('ControlOrMeta+K')
      await expect(page.getByRole('combobox', { name: 'Search webs, screens and actions' })).toBeFocused()
      await page.keyboard.press('Escape')
      await expect(stop(page)).toHaveAttribute('data-stop', before ?? 'nowhere')
    })
    await test.step('what disappears or is busy does not lose the focus', async () => {
      await press(page, 'Home', 'Space')
      await tabTo(page, page.getByRole('button', { name: 'Clear selection' }))
      await page.keyboard.press('Enter')
      await expect(stop(page)).toHaveAttribute('data-stop', '0:0:0')
      const exporting = page.getByRole('button', { name: 'Export XLS' })
      const downloading = page.waitForEvent('download')
      await exporting.press('Enter')
      await downloading
      await expect(exporting).toBeFocused()
      const chips = page.getByRole('button', { name: /^Remove: / })
      await chips.first().press('Enter')
      await expect(chips).toHaveCount(1)
      await expect(chips).toBeFocused()
      await page.keyboard.press('Enter')
      await expect(page.getByRole('searchbox')).toBeFocused()
    })
  })

  test('requests a new web', async ({ openPage: page }) => {
    const domain = `${uniqueMark()}.test`
    await visit(page, '/deployment/newweb')
    await tabTo(page, page.getByRole('combobox', { name: 'Kickstarter' }))
    await press(page, 'ArrowDown', 'ArrowDown', 'Enter')
    for (const [name, text] of [
      // Not used by another test.
      ['TP number', '34'],
      ['Domain', domain],
      ['Customer', 'TESTER'],
    ] as const) {
      // The customer is suggested.
      const role = name === 'Customer' ? 'combobox' : 'textbox'
      await tabTo(page, page.getByRole(role, { name, exact: true }))
      await page.keyboard.type(text)
    }
    await page.keyboard.press('Enter')
    await expect(page.getByText('Must start with bn and digits')).toBeVisible()
    // The first invalid field has the focus.
    await expect(page.getByRole('textbox', { name: 'TP number' })).toBeFocused()
    await press(page, 'Home')
    await page.keyboard.type('bn')
    await page.keyboard.press('Enter')
    await expect(page.getByText(`${domain}: new web requested`)).toBeVisible()
  })

  test('changes a user and the permissions of their role', async ({ page, testUsers }) => {
    const user = await testUsers.add({ permissions: ['view webs'] })
    await visit(page, '/admin/user-management')
    await expect(page.getByRole('rowheader').first()).toBeVisible()
    await page.keyboard.press('/')
    await page.keyboard.type(user.email)
    await expect(page.getByRole('rowheader')).toHaveCount(1)
    await tabTo(page, tabStop(page))
    await page.keyboard.press('?')
    await expect(dialog(page)).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(tabStop(page)).toBeFocused()
    await press(page, 'ArrowDown', 'End', 'Enter')
    await arrowTo(page, 'Edit')
    await page.keyboard.press('Enter')
    await tabTo(page, page.getByRole('textbox', { name: 'Name', exact: true }))
    await press(page, 'ControlOrMeta+A')
    await page.keyboard.type('Ohne Maus')
    await page.keyboard.press('ControlOrMeta+S')
    await expect(page.getByText(`${user.email}: saved`)).toBeVisible()
    await expect(page.getByRole('grid')).toContainText('Ohne Maus')

    // On narrow screens only one role is shown, whose checkboxes are few enough for Tab.
    await page.setViewportSize({ width: 390, height: 844 })
    await page.keyboard.press('ControlOrMeta+K')
    await expect(dialog(page).getByRole('combobox')).toBeFocused()
    await page.keyboard.type('roles')
    await expect(dialog(page).getByRole('option', { selected: true })).toContainText('Roles')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('main')).toBeFocused()
    await tabTo(page, page.getByRole('combobox', { name: 'Role', exact: true }))
    await page.keyboard.press('Enter')
    const offered = page.getByRole('option', { name: user.role })
    for (let step = 0; step < 30 && (await offered.getAttribute('data-combobox-selected')) === null; step++)
      await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    const box = page.getByRole('checkbox', { name: `view queue: ${user.role}` })
    await tabTo(page, box)
    await page.keyboard.press('Space')
    await expect(box).toBeChecked()
    await tabTo(page, page.getByRole('button', { name: `Save ${user.role}: 1 change` }))
    await page.keyboard.press('Enter')
    await expect(page.getByText(`${user.role}: saved`)).toBeVisible()
    // The button disappears.
    await expect(page.getByRole('table').locator(':focus')).toHaveCount(1)
    await box.press('Space')
    await page.keyboard.press('ControlOrMeta+S')
    await expect(page.getByRole('button', { name: /^Save / })).toHaveCount(0)
    await expect(box).toBeFocused()
    await expect(box).not.toBeChecked()
  })
})

/** Moves to an item of the open menu with the arrow keys. */
async function arrowTo(page: Page, name: string): Promise<void> {
  const item = page.getByRole('menuitem', { name, exact: true })
  await expect(item).toBeVisible()
  // A menu takes the focus just after it has opened; a key that comes before is meant for what lies outside, and closes it.
  await expect(page.getByRole('menu').locator(':focus')).toHaveCount(1)
  for (let step = 0; step < 30 && !(await item.evaluate((one) => one.matches(':focus'))); step++)
    await page.keyboard.press('ArrowDown')
  await expect(item).toBeFocused()
}
