import type { Page } from '@playwright/test'
import { storageStateOf } from './harness/global-setup.ts'
import { administrator, token } from './harness/seeded-users.ts'
import { expect, test, uniqueMark } from './harness/test.ts'
import { visit } from './harness/visit.ts'

const cell = (page: Page, permission: string, role: string) =>
  page.getByRole('checkbox', { name: `${permission}: ${role}`, exact: true })

async function openRoles(page: Page) {
  await visit(page, '/admin/roles')
  await expect(page.getByRole('heading', { name: 'Roles', level: 1 })).toBeVisible()
}

test.describe('an administrator', () => {
  test.use({ storageState: async ({ storageState: _ }, use) => use(storageStateOf(administrator)) })

  test('adds a role, sets its permissions, renames and deletes it', async ({ openPage: page }) => {
    const name = uniqueMark()
    await openRoles(page)
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Create', exact: true }).click()
    await expect(dialog.getByText('Name is required')).toBeVisible()
    const field = dialog.getByRole('textbox', { name: 'Name' })
    await field.fill('Read Only')
    await field.press('Enter')
    await expect(field).toHaveAccessibleDescription('There is already a role with this name')
    await field.fill(name)
    await field.press('Enter')
    await expect(page.getByText(`${name}: created`)).toBeVisible()

    await expect(cell(page, 'view queue', name)).not.toBeChecked()
    await cell(page, 'view queue', name).press('Space')
    await cell(page, 'view webs', name).check()
    await expect(cell(page, 'view queue', name)).toHaveAccessibleDescription('changed')
    const save = page.getByRole('button', { name: `Save ${name}: 2 changes` })
    await expect(save).toBeVisible()
    await cell(page, 'view webs', name).uncheck()
    await page.getByRole('button', { name: `Save ${name}: 1 change` }).click()
    await expect(page.getByText(`${name}: saved`)).toBeVisible()
    await page.reload()
    await expect(cell(page, 'view queue', name)).toBeChecked()
    await expect(cell(page, 'view webs', name)).not.toBeChecked()

    const menu = page.getByRole('button', { name: `Actions: ${name}` })
    await menu.click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await field.fill(`${name} too`)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText(`${name} too: renamed`)).toBeVisible()

    await page.getByRole('button', { name: `Actions: ${name} too` }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await expect(dialog).toContainText(`Delete the role “${name} too”?`)
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByText(`${name} too: deleted`)).toBeVisible()
    await expect(cell(page, 'view queue', `${name} too`)).toHaveCount(0)
  })

  test('a role stays as it is while it is saved, also if another one is saved meanwhile', async ({
    openPage: page,
    testUsers,
  }) => {
    const [slow, quick] = [await testUsers.add({ permissions: [] }), await testUsers.add({ permissions: [] })]
    const released = Promise.withResolvers<void>()
    await page.route(`**/api/roles/${slow.roleId}`, async (route) => {
      await released.promise
      await route.continue()
    })
    await openRoles(page)
    for (const { role } of [slow, quick]) {
      await cell(page, 'view queue', role).check()
      await page.getByRole('button', { name: `Save ${role}: 1 change` }).click()
    }
    await expect(page.getByText(`${quick.role}: saved`)).toBeVisible()
    await cell(page, 'view webs', slow.role).click()
    await expect(cell(page, 'view webs', slow.role)).not.toBeChecked()
    released.resolve()
    await expect(page.getByText(`${slow.role}: saved`)).toBeVisible()
    await expect(cell(page, 'view queue', slow.role)).toBeChecked()
  })

  test('Enter takes the highlighted role, also if one above it is deleted meanwhile', async ({
    openPage: page,
    testUsers,
  }) => {
    const headers = await token(page.request)
    const above = { name: uniqueMark(), permissions: [] }
    const { id } = await (await page.request.post('/api/roles', { headers, data: above })).json()
    const { role } = await testUsers.add({ permissions: [] })
    await page.setViewportSize({ width: 390, height: 844 })
    await openRoles(page)
    const choice = page.getByRole('combobox', { name: 'Role', exact: true })
    await choice.click()
    const option = (name: string) => page.getByRole('option', { name, exact: true })
    await expect(option(role)).toBeVisible()
    await expect(async () => {
      await choice.press('ArrowUp')
      await expect(option(role)).toHaveAttribute('data-combobox-selected', { timeout: 1 })
    }).toPass({ intervals: [1] })
    await page.request.delete(`/api/roles/${id}`, { headers })
    await expect(option(above.name)).toHaveCount(0)
    await choice.press('Enter')
    await expect(choice).toHaveValue(role)
  })

  test('confirms before a changed selection in a dialog is lost', async ({ openPage: page }) => {
    await openRoles(page)
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    const form = page.getByRole('dialog', { name: 'Create role' })
    const like = form.getByRole('combobox', { name: 'Copy permissions from' })
    await like.click()
    await page.getByRole('option', { name: 'read only' }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Stay' }).click()
    await expect(like).toHaveValue('read only')
    await like.click()
    await page.getByRole('option', { name: 'read only' }).click()
    await expect(like).toHaveValue('')
    // Unchanged again, so there is nothing to lose.
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })

  test('sees fixed and used roles, and confirms before leaving unsaved changes', async ({
    openPage: page,
  }) => {
    const queue = page.getByRole('heading', { name: 'Queue', level: 1 })
    await visit(page, '/queue')
    await expect(queue).toBeVisible()
    await openRoles(page)
    await expect(cell(page, 'view webs', 'admin')).toBeChecked()
    await expect(cell(page, 'view webs', 'admin')).toBeDisabled()
    await page.getByRole('button', { name: 'Actions: admin' }).click()
    await expect(page.getByText('The role admin has all permissions and can’t be changed.')).toBeVisible()
    await expect(page.getByRole('menuitem', { name: 'Rename' })).toBeDisabled()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Actions: hosting' }).click()
    await expect(page.getByRole('menuitem', { name: /^Delete \(\d users have this role\)$/ })).toBeDisabled()
    await page.keyboard.press('Escape')

    await cell(page, 'view queue', 'read only').check()
    await page.getByRole('link', { name: 'Queue' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click()
    await expect(cell(page, 'view queue', 'read only')).toBeChecked()
    // A dialog without changes does not hide those of its page.
    await page.getByRole('button', { name: 'Actions: read only' }).click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await expect(page.getByRole('dialog', { name: /read only/ })).toBeVisible()
    await page.goBack()
    await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(cell(page, 'view queue', 'read only')).toBeChecked()
    await page.getByRole('button', { name: 'Discard changes to read only' }).click()
    await expect(cell(page, 'view queue', 'read only')).not.toBeChecked()
    await page.getByRole('link', { name: 'Queue' }).click()
    await expect(queue).toBeVisible()
  })
})

test('a user who manages users grants only permissions they have', async ({ page, testUsers }) => {
  const manager = await testUsers.add({ permissions: ['view admin panel', 'view queue'] })
  await testUsers.signIn(page, manager, '/admin')
  await expect(page.getByRole('heading', { name: 'User management', level: 1 })).toBeVisible()

  await openRoles(page)
  await expect(cell(page, 'view webs', manager.role)).toBeDisabled()
  await expect(cell(page, 'view webs', manager.role)).toHaveAccessibleDescription(
    'You don’t have “view webs” yourself',
  )
  await expect(cell(page, 'view queue', manager.role)).toBeEnabled()
  await expect(cell(page, 'view queue', 'hosting')).toBeDisabled()

  await page.goto('/admin/user-management/add')
  await page.getByRole('combobox', { name: 'Roles' }).click()
  await expect(page.getByRole('option', { name: /^admin/ })).toHaveAttribute('data-combobox-disabled', 'true')
  await expect(page.getByRole('option', { name: /^hosting/ })).toContainText('You can’t grant: view webs')
  await page.getByRole('option', { name: manager.role }).click()
  await expect(page.getByRole('option', { name: manager.role })).toHaveAttribute('aria-selected', 'true')

  await page.goto('/admin/user-management/edit/1')
  await expect(
    page.getByText('You can’t edit this user because they have more permissions than you.'),
  ).toBeVisible()
  await expect(page.getByRole('button', { name: 'Save' })).toHaveCount(0)
})
