import type { Page, Request } from '@playwright/test'
import { endSessions } from './harness/database.ts'
import { storageStateOf } from './harness/global-setup.ts'
import { administrator, signInAs, token } from './harness/seeded-users.ts'
import { expect, type TestWeb, test, uniqueMark } from './harness/test.ts'
import { visit } from './harness/visit.ts'

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const comment = async (page: Page, { id }: TestWeb) =>
  (await (await page.request.get(`/api/webs/${id}`)).json()).comment
const chooseAction = async (page: Page, name: string, action: string) => {
  await page.getByRole('button', { name: `Actions: ${name}` }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

async function openForm(page: Page, { fqdn }: TestWeb, text: string) {
  await page.goto(`/hosting?q=${fqdn}`)
  await chooseAction(page, fqdn, 'Edit')
  await field(page, 'Comment').fill(text)
  // A form loads the dialogs before it needs them.
  await expect(page.locator('.mantine-Notifications-root').first()).toBeAttached()
}

async function leave(page: Page) {
  await page.getByRole('link', { name: 'Cancel', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
  await expect(page.getByRole('grid')).toBeVisible()
}

test.describe('an administrator', () => {
  test.use({ storageState: async ({ storageState: _ }, use) => use(storageStateOf(administrator)) })

  test('sees at once that a save failed offline, and it is not sent later', async ({
    page,
    context,
    testWebs,
    browserErrors,
  }) => {
    const web = await testWebs.add()
    await openForm(page, web, 'typed offline')
    const notice = page.getByText('What you see may be out of date, and nothing can be saved.')
    await context.setOffline(true)
    await expect(notice).toBeVisible()
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('alert')).toHaveText('You are offline. Check your connection and try again.')
    await leave(page)
    await context.setOffline(false)
    await expect(notice).toHaveCount(0)
    await testWebs.change(web, { customer: 'RECONNECTED' })
    await expect(page.getByRole('gridcell', { name: 'RECONNECTED' })).toBeVisible()
    expect(await comment(page, web)).toBeNull()
    expect(
      browserErrors.splice(0).every((message) => /ERR_(INTERNET_DISCONNECTED|NETWORK)/.test(message)),
    ).toBe(true)
  })

  test('opens the menu of a phone once the connection is back, and the input remains', async ({
    page,
    context,
    testWebs,
    browserErrors,
  }) => {
    await openForm(page, await testWebs.add(), 'typed on a train')
    await page.setViewportSize({ width: 390, height: 844 })
    await context.setOffline(true)
    const code = page.waitForEvent('requestfailed', (request) => request.url().includes('/SidebarDrawer-'))
    await page.getByRole('button', { name: 'Open sidebar' }).click()
    await code
    await context.setOffline(false)
    await expect(page.getByRole('dialog').getByRole('navigation')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(field(page, 'Comment')).toHaveValue('typed on a train')
    expect(
      browserErrors.splice(0).every((message) => /ERR_(INTERNET_DISCONNECTED|NETWORK)/.test(message)),
    ).toBe(true)
  })

  test('leaves a form while it is being saved, and nothing is written', async ({ page, testWebs }) => {
    const web = await testWebs.add()
    const isSave = (request: Request) => request.method() === 'PUT'
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(`**/api/webs/${web.id}`, async (route) => {
      if (isSave(route.request())) await released
      await route.continue()
    })
    await openForm(page, web, 'typed before leaving')
    const ended = Promise.race([
      page.waitForEvent('requestfailed', isSave),
      page.waitForEvent('requestfinished', isSave),
    ])
    await page.getByRole('button', { name: 'Save' }).click()
    await leave(page)
    release()
    await ended
    expect(await comment(page, web)).toBeNull()
  })

  test('is asked before edits of many webs are lost', async ({ page, testWebs }) => {
    const web = await testWebs.add()
    await page.goto('/queue')
    await expect(page.getByRole('grid')).toBeVisible()
    await visit(page, `/hosting?q=${web.fqdn}`)
    await page.getByRole('checkbox', { name: `Select ${web.fqdn}` }).click()
    await page.getByRole('toolbar').getByRole('button', { name: 'Edit' }).click()
    const drawer = page.getByRole('dialog', { name: 'Edit 1 web' })
    const text = drawer.getByRole('textbox', { name: 'Comment' })
    await text.fill('typed for many')
    await page.keyboard.press('Escape')
    const question = page.getByRole('dialog', { name: 'Unsaved changes' })
    await question.getByRole('button', { name: 'Stay' }).last().click()
    await expect(text).toHaveValue('typed for many')
    await page.goBack()
    await question.getByRole('button', { name: 'Stay' }).last().click()
    await expect(text).toHaveValue('typed for many')
    await drawer.getByRole('button', { name: 'Cancel' }).last().click()
    await question.getByRole('button', { name: 'Leave' }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    expect(await comment(page, web)).toBeNull()
  })

  test('is no longer asked about unsaved input once it is saved', async ({ page, baseURL }) => {
    const api = await signInAs(administrator, baseURL ?? '')
    const fqdn = `${uniqueMark()}.test`
    const data = { fqdn, customer: 'BEFORE', domainprovider: 'Registro.it' }
    await api.post('/api/externalDomains', { headers: await token(api), data })
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/api/externalDomains/*', async (route) => {
      await released
      await route.continue()
    })
    await page.goto(`/limitis/externaldomains/list?q=${fqdn}`)
    await chooseAction(page, fqdn, 'Edit')
    await page.getByRole('dialog').getByRole('combobox', { name: 'Customer' }).fill('AFTER')
    await page.keyboard.press('ControlOrMeta+S')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog', { name: 'Unsaved changes' })).toBeVisible()
    release()
    await expect(page.getByText(`${fqdn}: saved`)).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await api.dispose()
  })

  test('keeps what was typed while a comment was sent', async ({ page }) => {
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/api/monitoring/incidents/*/comments', async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      await released
      const { text } = route.request().postDataJSON()
      const json = { id: 1, incident_id: 1, created_at: '2026-11-20T10:00:00.000Z', created_by: null, text }
      return route.fulfill({ status: 201, json })
    })
    await page.goto('/monitoring/incidents')
    await page.getByRole('rowheader').first().getByRole('link').click()
    const text = page.getByRole('textbox', { name: 'New comment' })
    const send = page.getByRole('button', { name: 'Comment', exact: true })
    await text.fill('the first')
    await send.click()
    await text.fill('the second')
    release()
    await expect(send).toBeEnabled()
    await expect(text).toHaveValue('the second')
    // What was sent is not unsaved any more.
    await send.click()
    await expect(text).toHaveValue('')
  })
})

test('input that was interrupted in one dialog of a record does not come back in another', async ({
  page,
  testUsers,
}) => {
  const user = await testUsers.add({ permissions: ['view monitoring web statistic'] })
  await testUsers.signIn(page, user, '/monitoring/incidents')
  await page.getByRole('rowheader').first().getByRole('link').click()
  const dialog = page.getByRole('dialog')
  const note = dialog.getByRole('textbox', { name: 'Note' })
  const choose = async (action: string) => {
    await page.getByRole('button', { name: /^Actions: / }).click()
    await page.getByRole('menuitem', { name: action }).click()
  }
  await choose('Acknowledge with a note…')
  await note.fill('typed before the session ended')
  await endSessions(user)
  await page.getByLabel('E-Mail').fill(user.email)
  await page.getByLabel('Password', { exact: true }).fill('vier Wände und ein Dach')
  await page.getByRole('button', { name: 'Login' }).click()

  await choose('Assign…')
  await expect(note).toHaveValue('')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await choose('Acknowledge with a note…')
  await expect(note).toHaveValue('typed before the session ended')
})

test('input that was interrupted in a dialog comes back for its own record only', async ({
  page,
  testUsers,
  baseURL,
}) => {
  const api = await signInAs(administrator, baseURL ?? '')
  const headers = await token(api)
  const mark = uniqueMark()
  for (const name of ['a', 'b'])
    await api.post('/api/externalDomains', {
      headers,
      data: { fqdn: `${mark}-${name}.test`, customer: `OWNER-${name}`, domainprovider: 'Registro.it' },
    })
  const path = `/limitis/externaldomains/list?q=${mark}`
  const user = await testUsers.add({ permissions: ['view external domains', 'edit external domains'] })
  await testUsers.signIn(page, user, path)
  const dialog = page.getByRole('dialog')
  const customer = dialog.getByRole('combobox', { name: 'Customer' })
  await chooseAction(page, `${mark}-a.test`, 'Edit')
  await customer.fill('TYPED-A')
  await endSessions(user)
  await page.getByLabel('E-Mail').fill(user.email)
  await page.getByLabel('Password', { exact: true }).fill('vier Wände und ein Dach')
  await page.getByRole('button', { name: 'Login' }).click()

  await chooseAction(page, `${mark}-b.test`, 'Edit')
  await expect(customer).toHaveValue('OWNER-b')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await chooseAction(page, `${mark}-a.test`, 'Edit')
  await expect(customer).toHaveValue('TYPED-A')
  await api.dispose()
})

test('input that gave way to a change by someone else is not lost with its form or the session', async ({
  page,
  testUsers,
  testWebs,
}) => {
  const web = await testWebs.add()
  const user = await testUsers.add({ permissions: ['view webs', 'edit webs'] })
  await testUsers.signIn(page, user, `/hosting/edit/${web.id}`)
  await field(page, 'Comment').fill('typed by me')
  await testWebs.change(web, { comment: 'from the fast one' })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Load latest' }).click()
  await expect(field(page, 'Comment')).toHaveValue('from the fast one')
  await page.getByRole('link', { name: 'Cancel', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).last().click()
  await endSessions(user)
  // The form has a checkbox of this name.
  await page.getByRole('textbox', { name: 'E-Mail' }).fill(user.email)
  await page.getByLabel('Password', { exact: true }).fill('vier Wände und ein Dach')
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(field(page, 'Comment')).toHaveValue('from the fast one')
  await page.getByRole('button', { name: 'Use mine' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(`${web.fqdn}: saved`)).toBeVisible()
  expect(await comment(page, web)).toBe('typed by me')
})

test('a sign-out waits for the answer about unsaved input, and leaves no notifications to the next user', async ({
  page,
  testUsers,
  testWebs,
}) => {
  const web = await testWebs.add()
  const user = await testUsers.add({ permissions: ['view webs', 'edit webs'] })
  await testUsers.signIn(page, user, '/queue')
  const notification = page.getByText('You don’t have access to “Queue”')
  await expect(notification).toBeVisible()
  await visit(page, `/hosting/edit/${web.id}`)
  await field(page, 'Comment').fill('typed before the sign-out')
  const answer = async (name: string) => {
    await page.getByRole('button', { name: /^User menu/ }).click()
    await page.getByRole('menuitem', { name: 'Logout' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Yes' }).click()
    await page.getByRole('dialog').getByRole('button', { name }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
  await answer('Stay')
  await expect(field(page, 'Comment')).toHaveValue('typed before the sign-out')
  await page.getByRole('link', { name: 'Cancel', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
  // Users who have stayed are not signed out by leaving later.
  await expect(page.getByRole('grid')).toBeVisible()

  await visit(page, `/hosting/edit/${web.id}`)
  await field(page, 'Comment').fill('typed again')
  await expect(notification).toBeVisible()
  await answer('Leave')
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible()
  await expect(page).toHaveURL(/\/$/)
  const other = await testUsers.add({ permissions: ['view webs'] })
  await page.getByLabel('E-Mail').fill(other.email)
  await page.getByLabel('Password', { exact: true }).fill('vier Wände und ein Dach')
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()
  await expect(page.locator('.mantine-Notifications-root').first()).toBeAttached()
  await expect(notification).toHaveCount(0)
})
