import type { Page } from '@playwright/test'
import { storageStateOf } from './harness/global-setup.ts'
import { administrator, token } from './harness/seeded-users.ts'
import { expect, test, uniqueMark } from './harness/test.ts'
import { visit } from './harness/visit.ts'

test.use({ storageState: async ({ storageState: _ }, use) => use(storageStateOf(administrator)) })

const bar = (page: Page) => page.getByRole('toolbar')
const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name, exact: true })
const rows = (page: Page) =>
  page
    .getByRole('grid')
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader') })

test('edits many webs, changing only the touched fields, and follows the batch', async ({
  openPage: page,
  testWebs,
}) => {
  const mark = uniqueMark()
  for (const end of ['a', 'b', 'c']) await testWebs.add({ fqdn: `${mark}-${end}.test`, comment: `of ${end}` })
  await visit(page, `/hosting?q=${mark}&sort=fqdn`)
  await expect(rows(page)).toHaveCount(3)
  await page.getByRole('checkbox', { name: `Select ${mark}-a.test` }).click()
  await page.getByRole('checkbox', { name: `Select ${mark}-c.test` }).click({ modifiers: ['Shift'] })
  await expect(bar(page)).toContainText('3 selected')
  await bar(page).getByRole('button', { name: 'Edit' }).click()
  const drawer = dialog(page, 'Edit 3 webs')
  await expect(drawer).toContainText('of a (1), of b (1), of c (1)')
  await expect(drawer.getByRole('button', { name: 'Check and apply…' })).toBeDisabled()
  const customer = drawer.getByLabel('Customer', { exact: true })
  await expect(customer).toBeFocused()
  await customer.fill('')
  await drawer.getByLabel('Framework', { exact: true }).fill('TYPO3')
  await customer.fill('BATCHED')
  await drawer.getByLabel('Framework', { exact: true }).press('Shift+Tab')
  await drawer.getByRole('button', { name: 'Leave unchanged' }).last().click()
  await drawer.getByRole('button', { name: 'Check and apply…' }).click()
  const question = dialog(page, 'Edit · 3 webs')
  await expect(question.getByRole('listitem')).toHaveText('Customer: BATCHED')
  await question.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('button', { name: 'Show batch' }).click()
  await expect(page.getByRole('status').filter({ hasText: '3 of 3 succeeded' })).toBeVisible()
  await expect(page.getByText('Customer: BATCHED')).toBeVisible()
  const { data } = await (await page.request.get('/api/webs')).json()
  const edited = data.filter(({ fqdn }: { fqdn: string }) => fqdn.startsWith(mark))
  expect(
    edited.map((web: Record<string, unknown>) => [web.customer, web.comment, web.framework_name]),
  ).toEqual(['a', 'b', 'c'].map((end) => ['BATCHED', `of ${end}`, null]))
})

test('names the webs that an action does not apply to, and notifies of the end on another screen', async ({
  browser,
  testUsers,
  testWebs,
}) => {
  // Two backups run one after the other.
  test.setTimeout(120_000)
  const mark = uniqueMark()
  for (const end of ['a', 'b']) await testWebs.add({ fqdn: `${mark}-${end}.test`, node: 'bz-cloud-01' })
  await testWebs.add({ fqdn: `${mark}-c.test`, node: null })
  // Of somebody who has many deployments under way, as the administrator of these tests has, successes wait for the others.
  const user = await testUsers.add({
    permissions: ['view webs', 'edit webs', 'view queue', 'view limitis email'],
  })
  const page = await testUsers.open(browser, user, `/hosting?q=${mark}`)
  await expect(rows(page)).toHaveCount(3)
  await page.getByRole('checkbox', { name: 'Select all rows on this page' }).click()
  await bar(page).getByRole('button', { name: 'Backup' }).click()
  const question = dialog(page, 'Backup · 2 webs')
  await expect(question).toContainText('1 web will be skipped:')
  await expect(question).toContainText(`${mark}-c.test: The web has no node.`)
  await expect(question).toContainText('Starts with one web, then the others 10 at a time.')
  await question.getByRole('button', { name: 'How it runs' }).click()
  await question.getByRole('textbox', { name: 'Webs at a time' }).fill('1')
  await question.getByRole('textbox', { name: 'Failures allowed' }).fill('0')
  await expect(question).toContainText(
    'Starts with one web, then the others one by one. Stops after the first failure.',
  )
  await question.getByRole('button', { name: 'Backup' }).click()
  await expect(page.getByText(/^Batch \d+: 2 webs accepted$/)).toBeVisible()
  const { data } = await (await page.request.get('/api/batches')).json()
  expect(data).toContainEqual(expect.objectContaining({ action: 'backupWeb', parallel: 1, stop_above: 0 }))
  await visit(page, '/limitis/emails')
  await expect(page.getByText(/^Backup · 3 webs/)).toBeVisible({ timeout: 30_000 })
  await page.getByRole('button', { name: 'Show batch' }).last().click()
  await expect(rows(page)).toHaveCount(3)
  await expect(rows(page).filter({ hasText: `${mark}-c.test` })).toContainText('skipped')
  const batchUrl = page.url()
  const backedUp = rows(page).filter({ hasText: `${mark}-a.test` })
  await backedUp.getByRole('link', { name: /^\d{4}\// }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Backup · ${mark}-a.test`)
  await page.getByRole('link', { name: /^Batch \d+$/ }).click()
  await expect(page).toHaveURL(batchUrl)
  // It would be skipped again.
  await expect(page.getByRole('button', { name: /^Retry/ })).toHaveCount(0)
})

test('selects everything that matches, on all pages', async ({ openPage: page, testWebs }) => {
  const mark = uniqueMark()
  for (const end of ['a', 'b', 'c']) await testWebs.add({ fqdn: `${mark}-${end}.test` })
  await visit(page, `/hosting?q=${mark}`)
  await page.getByRole('checkbox', { name: `Select ${mark}-a.test` }).click()
  await bar(page).getByRole('button', { name: 'Select all 3 that match' }).click()
  await expect(bar(page)).toContainText('3 selected')
  await expect(bar(page).getByRole('button', { name: /that match/ })).toHaveCount(0)
})

test('reverts a change from the log, and says why if that is not possible any more', async ({
  openPage: page,
  testWebs,
}) => {
  const web = await testWebs.add({ comment: 'Before' })
  await testWebs.change(web, { comment: 'After' })
  const { data } = await (
    await page.request.get(`/api/logs?subject_type=web&subject_id=${web.id}&limit=1`)
  ).json()
  await visit(page, `/logs?entry=${data[0].id}`)
  const drawer = page.getByRole('dialog').filter({ hasText: 'After' })
  await drawer.getByRole('button', { name: 'Revert this change…' }).click()
  const question = page.getByRole('dialog', { name: web.fqdn })
  await expect(question).toContainText('Restore the previous values?')
  await question.getByRole('button', { name: 'Revert', exact: true }).click()
  await expect(page.getByText(`${web.fqdn}: reverted`)).toBeVisible()
  const comment = async () => (await (await page.request.get(`/api/webs/${web.id}`)).json()).comment
  expect(await comment()).toBe('Before')
  const done = drawer.getByRole('link', { name: /^Reverted by entry \d+$/ })
  await expect(done).toBeFocused()
  await expect(drawer.getByRole('button', { name: 'Revert this change…' })).toHaveCount(0)
  // The revert can be reverted, too, unless the comment has changed since.
  await testWebs.change(web, { comment: 'Later' })
  await done.click()
  await drawer.getByRole('button', { name: 'Revert this change…' }).click()
  await question.getByRole('button', { name: 'Revert', exact: true }).click()
  await expect(
    page.getByText(/has changed this since, at .+: Comment\. Nothing was reverted\./),
  ).toBeVisible()
})

test('reverts a batch of edits as a whole', async ({ openPage: page, testWebs }) => {
  const ids: number[] = []
  for (const _ of ['a', 'b']) ids.push((await testWebs.add({ comment: 'Before' })).id)
  const created = await page.request.post('/api/batches', {
    headers: await token(page.request),
    data: { action: 'edit', webs: ids, edits: { comment: 'After' } },
  })
  const { id } = await created.json()
  await visit(page, `/batches/${id}`)
  await expect(page.getByText('Comment: After')).toBeVisible()
  await page.getByRole('button', { name: 'Revert', exact: true }).click()
  await dialog(page, 'Revert 2 webs').getByRole('button', { name: 'Revert', exact: true }).click()
  await expect(page.getByText(`Reverts batch ${id}`)).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: '2 of 2 succeeded' })).toBeVisible()
  for (const web of ids)
    expect((await (await page.request.get(`/api/webs/${web}`)).json()).comment).toBe('Before')
})

test('says what the revert of a deletion and of a restoration does', async ({ openPage: page, testWebs }) => {
  const web = await testWebs.add()
  const created = await page.request.post('/api/batches', {
    headers: await token(page.request),
    data: { action: 'delete', webs: [web.id] },
  })
  await visit(page, `/batches/${(await created.json()).id}`)
  const revert = page.getByRole('button', { name: 'Revert', exact: true })
  const question = dialog(page, 'Revert 1 web')
  await revert.click()
  await expect(question).toContainText('Restore the webs that this batch deleted?')
  await question.getByRole('button', { name: 'Revert', exact: true }).click()
  await expect(page.getByText(/^Reverts batch \d+$/)).toBeVisible()
  await revert.click()
  await expect(question).toContainText('Delete the webs that this batch restored?')
  // Enter must not delete them.
  await expect(question.getByRole('button', { name: 'Cancel' }).last()).toBeFocused()
  await page.keyboard.press('Escape')
})
