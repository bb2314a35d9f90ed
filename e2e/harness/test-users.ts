import { type Browser, type BrowserContext, expect, type Page } from '@playwright/test'
import { openApi } from './global-setup.ts'
import { administrator, type SeededUser, signIn, token } from './seeded-users.ts'

/** A user that only one test uses, with a role of the same name. */
export interface TestUser extends SeededUser {
  readonly id: number
  readonly name: string
  readonly roleId: number
}

export interface TestUsers {
  /** Creates a user with a role through the API. Both are deleted after the test. */
  add(role: { readonly permissions: readonly string[] }): Promise<TestUser>
  /** Changes the permissions of the user's role. */
  grant(user: TestUser, permissions: readonly string[]): Promise<void>
  /** Changes the user through the API, as another administrator would. */
  change(user: TestUser, fields: Readonly<Record<string, unknown>>): Promise<void>
  delete(user: TestUser): Promise<void>
  restore(user: TestUser): Promise<void>
  /** Signs the user in through the API and opens the path. Ends the session that the page has. */
  signIn(page: Page, user: TestUser, path: string): Promise<void>
  /** Does so beside the test's own page, in a browser context that is closed after the test. */
  open(browser: Browser, user: TestUser, path: string): Promise<Page>
  /** Opens the path and signs the user in there by the form. */
  signInByForm(page: Page, user: TestUser, path: string): Promise<void>
}

/** Meets the password rules. */
export const ownPassword = 'vier Wände und ein Dach'

/** @param mark creates a unique word @returns the fixture, and a function that deletes the users it created */
export async function openTestUsers(
  mark: () => string,
): Promise<{ readonly testUsers: TestUsers; readonly cleanUp: () => Promise<void> }> {
  const api = await openApi(administrator)
  const headers = await token(api)
  const added: TestUser[] = []
  const contexts: BrowserContext[] = []

  async function change({ id }: TestUser, fields: Readonly<Record<string, unknown>>) {
    const { email, name } = await (await api.get(`/api/users/${id}`)).json()
    const response = await api.put(`/api/users/${id}`, { headers, data: { email, name, ...fields } })
    expect(response.status(), await response.text()).toBe(204)
  }

  const testUsers: TestUsers = {
    async add({ permissions }) {
      const role = mark()
      const createdRole = await api.post('/api/roles', { headers, data: { name: role, permissions } })
      expect(createdRole.status(), await createdRole.text()).toBe(201)
      const { id: roleId } = await createdRole.json()
      const email = `${role}@kustos.test`
      const response = await api.post('/api/users', {
        headers,
        data: { email, name: role, password: ownPassword, roles: [roleId] },
      })
      expect(response.status(), await response.text()).toBe(201)
      const { id } = await response.json()
      const user = { id, email, name: role, role, roleId }
      added.push(user)
      return user
    },
    async grant({ role, roleId }, permissions) {
      const response = await api.put(`/api/roles/${roleId}`, { headers, data: { name: role, permissions } })
      expect(response.status(), await response.text()).toBe(204)
    },
    change,
    async delete({ id }) {
      expect((await api.delete(`/api/users/${id}`, { headers })).status()).toBe(204)
    },
    async restore({ id }) {
      expect((await api.put(`/api/users/${id}/restore`, { headers })).status()).toBe(204)
    },
    async signIn(page, { email }, path) {
      await signIn(page.request, email, ownPassword)
      await page.goto(path)
      await expect(page.getByRole('button', { name: /^User menu/ })).toBeVisible()
    },
    async open(browser, user, path) {
      const context = await browser.newContext({ storageState: { cookies: [], origins: [] } })
      contexts.push(context)
      const page = await context.newPage()
      await testUsers.signIn(page, user, path)
      return page
    },
    async signInByForm(page, { email }, path) {
      await page.goto(path)
      await page.getByLabel('E-Mail').fill(email)
      await page.getByLabel('Password', { exact: true }).fill(ownPassword)
      await page.getByRole('button', { name: 'Login' }).click()
      await expect(page.getByRole('button', { name: /^User menu/ })).toBeVisible()
    },
  }

  /** A role in use cannot be deleted, so its user gets another one first. */
  async function cleanUp() {
    for (const context of contexts) await context.close()
    const roles: readonly { id: number; name: string }[] = await (await api.get('/api/roles')).json()
    const least = roles.find(({ name }) => name === 'read only')
    for (const user of added) {
      await api.put(`/api/users/${user.id}/restore`, { headers })
      await change(user, { roles: [least?.id] })
      await testUsers.delete(user)
      await api.delete(`/api/roles/${user.roleId}`, { headers })
    }
    await api.dispose()
  }
  return { testUsers, cleanUp }
}
