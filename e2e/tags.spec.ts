import type { Page } from '@playwright/test'
import { storageStateOf } from './harness/global-setup.ts'
import { administrator, token } from './harness/seeded-users.ts'
import { expect, test, uniqueMark } from './harness/test.ts'
import { visit } from './harness/visit.ts'
import { readWorkbook } from './harness/xlsx.ts'

test.use({ storageState: async ({ storageState: _ }, use) => use(storageStateOf(administrator)) })

const rows = (page: Page) =>
  page
    .getByRole('grid')
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader') })

test('tags many webs in a batch with a new tag, filters by it, exports, and renames it', async ({
  openPage: page,
  testWebs,
}) => {
  const mark = uniqueMark()
  const tag = `job-${mark}`
  for (let index = 0; index < 20; index++)
    await testWebs.add({ fqdn: `${mark}-${index}.test`, customer: mark.toUpperCase() })
  await visit(page, `/hosting?q=${mark}`)
  await expect(rows(page)).toHaveCount(20)
  await page.getByRole('checkbox', { name: 'Select all rows on this page' }).click()
  await page.getByRole('toolbar').getByRole('button', { name: 'Edit' }).click()
  const drawer = page.getByRole('dialog', { name: 'Edit 20 webs' })
  await drawer.getByRole('combobox', { name: 'Add tags' }).fill(`${tag}: gold`)
  await page.getByRole('option', { name: `Create tag “${tag}:gold”` }).click()
  await expect(drawer.getByRole('button', { name: `Remove ${tag}:gold` })).toBeVisible()
  await drawer.getByRole('button', { name: 'Check and apply…' }).click()
  await page
    .getByRole('dialog', { name: 'Edit · 20 webs' })
    .getByRole('button', { name: 'Edit', exact: true })
    .click()
  await page.getByRole('button', { name: 'Show batch' }).click()
  await expect(page.getByRole('status').filter({ hasText: '20 of 20 succeeded' })).toBeVisible({
    timeout: 30_000,
  })
  await expect(page.getByText(`Tags added: ${tag}:gold`)).toBeVisible()

  // From the catalogue to the webs that carry it.
  await visit(page, `/tags?q=${mark}`)
  await rows(page).getByRole('link', { name: '20' }).click()
  await expect(page).toHaveURL(/\/hosting\?f\.tags=/)
  await expect(rows(page)).toHaveCount(20)
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Tags' }).click()
  await page.keyboard.press('Escape')
  await expect(rows(page).first()).toContainText(`${tag}:gold`)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export XLS' }).click(),
  ])
  const { rows: exported } = await readWorkbook(await download.path())
  expect(exported.filter((row) => row.includes(`${tag}:gold`))).toHaveLength(20)

  await visit(page, `/tags?q=${mark}`)
  const dialog = page.getByRole('dialog', { name: `Edit ${tag}` })
  await page.getByRole('button', { name: tag, exact: true }).click()
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await page.getByRole('button', { name: /^Actions: / }).click()
  await page.getByRole('menuitem', { name: 'Edit', exact: true }).click()
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill(`done-${mark}`)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(`done-${mark}: saved`)).toBeVisible()
  const { data } = await (await page.request.get('/api/webs')).json()
  const carried = data
    .filter(({ fqdn }: { fqdn: string }) => fqdn.startsWith(mark))
    .map(({ tags }: { tags: string[] }) => String(tags))
  expect(new Set(carried)).toEqual(new Set([`done-${mark}:gold`]))
  const [known] = (await (await page.request.get('/api/tags')).json()).filter(
    ({ name }: { name: string }) => name === `done-${mark}`,
  )
  await page.request.delete(`/api/tags/${known.id}`, { headers: await token(page.request) })
})

test('a new tag is in the field at once, and is removed again if it could not be added', async ({
  openPage: page,
  testWebs,
}) => {
  const mark = uniqueMark()
  const web = await testWebs.add()
  const created = Promise.withResolvers<void>()
  await page.route('**/api/tags', async (route) => {
    const isCreation = route.request().method() === 'POST'
    if (isCreation && route.request().postDataJSON().name === `c-${mark}`)
      return route.fulfill({ status: 403, json: { message: 'Not today.' } })
    if (isCreation) await created.promise
    await route.continue()
  })
  await visit(page, `/hosting/edit/${web.id}`)
  const field = page.getByRole('combobox', { name: 'Tags' })
  const remove = (name: string) => page.getByRole('button', { name: `Remove ${name}-${mark}`, exact: true })
  const type = async (name: string) => {
    await field.pressSequentially(`${name}-${mark}`)
    await expect(page.getByRole('option', { name: `Create tag “${name}-${mark}”` })).toBeVisible()
  }
  await type('a')
  await field.press('Enter')
  await expect(remove('a')).toBeVisible()
  await type('b')
  await field.press('Enter')
  await expect(remove('b')).toBeVisible()
  await field.press('Tab')
  await expect(page.getByText('Choose an entry of the list, or remove the text')).toHaveCount(0)
  await remove('a').click()
  await field.pressSequentially('unfinished')
  const answers = ['a', 'b'].map(() =>
    page.waitForResponse((response) => response.url().endsWith('/api/tags') && response.status() === 201),
  )
  created.resolve()
  await Promise.all(answers)
  await page.waitForResponse((response) => response.url().endsWith('/api/tags') && response.status() === 200)
  await expect(field).toHaveValue('unfinished')
  await expect(remove('a')).toHaveCount(0)

  await field.fill('')
  await type('c')
  await field.press('Enter')
  await expect(field).toHaveAccessibleDescription(/Not today/)
  await expect(field).toHaveValue(`c-${mark}`)
  await expect(remove('c')).toHaveCount(0)
  await field.fill('')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('grid')).toBeVisible()
  expect((await (await page.request.get(`/api/webs/${web.id}`)).json()).tags).toEqual([`b-${mark}`])

  const headers = await token(page.request)
  for (const { id, name } of await (await page.request.get('/api/tags')).json())
    if (name.endsWith(mark)) await page.request.delete(`/api/tags/${id}`, { headers })
})

test('a form is saved once its new tag is in the catalogue', async ({ openPage: page, testWebs }) => {
  const name = `slow-${uniqueMark()}`
  const web = await testWebs.add()
  const created = Promise.withResolvers<void>()
  await page.route('**/api/tags', async (route) => {
    if (route.request().method() === 'POST') await created.promise
    await route.continue()
  })
  await visit(page, `/hosting/edit/${web.id}`)
  await page.getByRole('combobox', { name: 'Tags' }).fill(name)
  await page.getByRole('option', { name: `Create tag “${name}”` }).click()
  const saved: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'PUT') saved.push(request.url())
  })
  const save = page.getByRole('button', { name: 'Save' })
  await save.click()
  await expect(save).toHaveAttribute('data-loading', 'true')
  await page.evaluate(() => new Promise(requestAnimationFrame))
  expect(saved).toEqual([])
  created.resolve()
  await expect(page.getByText(`${web.fqdn}: saved`)).toBeVisible()
  expect((await (await page.request.get(`/api/webs/${web.id}`)).json()).tags).toEqual([name])

  const [tag] = (await (await page.request.get('/api/tags')).json()).filter(
    (one: { name: string }) => one.name === name,
  )
  await page.request.delete(`/api/tags/${tag.id}`, { headers: await token(page.request) })
})
