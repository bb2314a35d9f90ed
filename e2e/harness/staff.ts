import { type APIRequestContext, expect, type Page } from '@playwright/test'
import { administrator, type Person, signInAs, token } from './people.ts'

/** Somebody that a test has to itself, with a role of that name. */
export interface Colleague extends Person {
  readonly id: number
  readonly name: string
  readonly roleId: number
}

export interface Staff {
  /** Adds a user with a role of their own through the API; after the test both are deleted. */
  add(role: { readonly permissions: readonly string[] }): Promise<Colleague>
  /** Changes what the colleague's role may do. */
  grant(colleague: Colleague, permissions: readonly string[]): Promise<void>
  /** Changes the colleague as an administrator elsewhere would. */
  change(colleague: Colleague, fields: Readonly<Record<string, unknown>>): Promise<void>
  delete(colleague: Colleague): Promise<void>
  restore(colleague: Colleague): Promise<void>
  /** Signs the colleague in, in a browser. @param path where to */
  signIn(page: Page, colleague: Colleague, path: string): Promise<void>
}

/** Long, and no name that belongs to anybody. */
export const ownPassword = 'vier Wände und ein Dach'

/** @param mark a word that nothing else contains @returns the staff, and what removes whom it added */
export async function hire(
  baseURL: string,
  mark: () => string,
): Promise<{ readonly staff: Staff; readonly dismiss: () => Promise<void> }> {
  const api: APIRequestContext = await signInAs(administrator, baseURL)
  const headers = await token(api)
  const added: Colleague[] = []

  async function change({ id }: Colleague, fields: Readonly<Record<string, unknown>>) {
    const { email, name } = await (await api.get(`/api/users/${id}`)).json()
    const answer = await api.put(`/api/users/${id}`, { headers, data: { email, name, ...fields } })
    expect(answer.status(), await answer.text()).toBe(204)
  }

  const staff: Staff = {
    async add({ permissions }) {
      const role = mark()
      const made = await api.post('/api/roles', { headers, data: { name: role, permissions } })
      expect(made.status(), await made.text()).toBe(201)
      const { id: roleId } = await made.json()
      const email = `${role}@kustos.test`
      const answer = await api.post('/api/users', {
        headers,
        data: { email, name: role, password: ownPassword, roles: [roleId] },
      })
      expect(answer.status(), await answer.text()).toBe(201)
      const { id } = await answer.json()
      const colleague = { id, email, name: role, role, roleId }
      added.push(colleague)
      return colleague
    },
    async grant({ role, roleId }, permissions) {
      const answer = await api.put(`/api/roles/${roleId}`, { headers, data: { name: role, permissions } })
      expect(answer.status(), await answer.text()).toBe(204)
    },
    change,
    async delete({ id }) {
      expect((await api.delete(`/api/users/${id}`, { headers })).status()).toBe(204)
    },
    async restore({ id }) {
      expect((await api.put(`/api/users/${id}/restore`, { headers })).status()).toBe(204)
    },
    async signIn(page, { email }, path) {
      await page.goto(path)
      await page.getByLabel('E-Mail').fill(email)
      await page.getByLabel('Password', { exact: true }).fill(ownPassword)
      await page.getByRole('button', { name: 'Login' }).click()
      await expect(page.getByRole('button', { name: /^User menu/ })).toBeVisible()
    },
  }

  /** A role in use stays: its user takes another one along. */
  async function dismiss() {
    const roles: readonly { id: number; name: string }[] = await (await api.get('/api/roles')).json()
    const least = roles.find(({ name }) => name === 'read only')
    for (const colleague of added) {
      await api.put(`/api/users/${colleague.id}/restore`, { headers })
      await change(colleague, { roles: [least?.id] })
      await staff.delete(colleague)
      await api.delete(`/api/roles/${colleague.roleId}`, { headers })
    }
    await api.dispose()
  }
  return { staff, dismiss }
}
