import { type APIRequestContext, request } from '@playwright/test'

/** Somebody of the sandbox. */
export interface Person {
  readonly email: string
  readonly role: string
}

/** Everybody's, as the start prints it. */
export const password = 'kustos-sandbox'

export const administrator: Person = { email: 'admin@kustos.test', role: 'admin' }
const hosting: Person = { email: 'hosting@kustos.test', role: 'hosting' }
const projectManagement: Person = {
  email: 'project-management@kustos.test',
  role: 'project management',
}
export const monitoring: Person = { email: 'monitoring@kustos.test', role: 'monitoring' }
export const readOnly: Person = { email: 'read-only@kustos.test', role: 'read only' }

/** Besides the administrator, one for each role. */
export const people: readonly Person[] = [hosting, projectManagement, monitoring, readOnly]

/** A client of the API with a session of its own. */
export async function signInAs(person: Person, baseURL: string): Promise<APIRequestContext> {
  // Without the cookies that a test may have: signing in with them would end the session that they belong to.
  const api = await request.newContext({ baseURL, storageState: { cookies: [], origins: [] } })
  await api.get('/sanctum/csrf-cookie')
  const answer = await api.post('/api/login', {
    headers: await token(api),
    data: { email: person.email, password, remember: false },
  })
  if (answer.status() !== 204)
    throw new Error(`${person.email} cannot sign in: ${answer.status()} ${await answer.text()}`)
  return api
}

/** The header that every change carries. */
export async function token(api: APIRequestContext): Promise<Record<string, string>> {
  const { cookies } = await api.storageState()
  const cookie = cookies.find(({ name }) => name === 'XSRF-TOKEN')
  return { 'X-XSRF-TOKEN': decodeURIComponent(cookie?.value ?? '') }
}
