import { type APIRequestContext, request } from '@playwright/test'

/** A user that the sandbox creates. */
export interface SeededUser {
  readonly email: string
  readonly role: string
}

/** The password of every seeded user. */
export const password = 'kustos-sandbox'

export const administrator: SeededUser = { email: 'admin@kustos.test', role: 'admin' }
const hosting: SeededUser = { email: 'hosting@kustos.test', role: 'hosting' }
const projectManagement: SeededUser = {
  email: 'project-management@kustos.test',
  role: 'project management',
}
export const monitoring: SeededUser = { email: 'monitoring@kustos.test', role: 'monitoring' }
export const readOnly: SeededUser = { email: 'read-only@kustos.test', role: 'read only' }

/** One user for each role but the administrator's. */
export const seededUsers: readonly SeededUser[] = [hosting, projectManagement, monitoring, readOnly]

/** An API client with its own session. */
export async function signInAs(user: SeededUser, baseURL: string): Promise<APIRequestContext> {
  // Without the test's cookies, because signing in would end their session.
  const api = await request.newContext({ baseURL, storageState: { cookies: [], origins: [] } })
  await signIn(api, user.email, password)
  return api
}

/** Gives the API client a session, and the browser whose client it is. @throws if the credentials are refused */
export async function signIn(api: APIRequestContext, email: string, secret: string): Promise<void> {
  await api.get('/sanctum/csrf-cookie')
  const response = await api.post('/api/login', {
    headers: await token(api),
    data: { email, password: secret, remember: false },
  })
  if (response.status() !== 204)
    throw new Error(`${email} cannot sign in: ${response.status()} ${await response.text()}`)
}

/** The CSRF header that every change needs. */
export async function token(api: APIRequestContext): Promise<Record<string, string>> {
  const { cookies } = await api.storageState()
  const cookie = cookies.find(({ name }) => name === 'XSRF-TOKEN')
  return { 'X-XSRF-TOKEN': decodeURIComponent(cookie?.value ?? '') }
}
