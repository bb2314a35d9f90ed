import { randomBytes } from 'node:crypto'
import { type BrowserContext, test as base, expect } from '@playwright/test'
import { openApi } from './global-setup.ts'
import { administrator, password, token } from './seeded-users.ts'
import { openTestUsers, type TestUsers } from './test-users.ts'

/** A web that only one test uses. */
export interface TestWeb {
  readonly id: number
  readonly fqdn: string
  readonly customer: string
}

export interface TestWebs {
  /** Adds a web through the API. It is deleted after the test. */
  add(fields?: Readonly<Record<string, unknown>>): Promise<TestWeb>
  /** Changes a web through the API, as another user would. */
  change(web: TestWeb, fields: Readonly<Record<string, unknown>>): Promise<void>
}

interface Fixtures {
  readonly testWebs: TestWebs
  readonly testUsers: TestUsers
  /** Keeps the administrator's session confirmed, because the tests take longer than that lasts. */
  readonly confirmedAdministrator: undefined
  /** Errors and warnings of the browser, on all pages of all contexts that the test opens. */
  readonly browserErrors: string[]
}

export const test = base.extend<Fixtures>({
  baseURL: async ({ baseURL: _ }, use) => use(process.env.KUSTOS_URL),

  browserErrors: [
    async ({ browser }, use) => {
      const browserErrors: string[] = []
      const record = (context: BrowserContext) => recordBrowserErrors(context, browserErrors)
      // The test's own context is opened later, because this fixture is set up first.
      browser.on('context', record)
      await use(browserErrors)
      browser.off('context', record)
      expect(browserErrors, 'errors and warnings of the browser').toEqual([])
    },
    { auto: true },
  ],

  confirmedAdministrator: [
    async ({ baseURL: _ }, use) => {
      await confirmAdministrator()
      await use(undefined)
    },
    { auto: true },
  ],

  testWebs: async ({ baseURL: _ }, use) => {
    const api = await openApi(administrator)
    const headers = await token(api)
    const created: TestWeb[] = []
    await use({
      async add(fields = {}) {
        const mark = uniqueMark()
        const data = { fqdn: `${mark}.test`, customer: 'TESTER', configured_ip: '192.0.2.7', ...fields }
        const response = await api.post('/api/webs', { headers, data })
        expect(response.status(), await response.text()).toBe(201)
        const { id, fqdn, customer } = await response.json()
        created.push({ id, fqdn, customer })
        return { id, fqdn, customer }
      },
      async change(web, fields) {
        const before = await (await api.get(`/api/webs/${web.id}`)).json()
        const { fqdn, customer, configured_ip } = before
        const response = await api.put(`/api/webs/${web.id}`, {
          headers,
          data: { fqdn, customer, configured_ip, ...fields },
        })
        expect(response.status(), await response.text()).toBe(204)
      },
    })
    for (const { id } of created) await api.delete(`/api/webs/${id}`, { headers })
    await api.dispose()
  },

  testUsers: async ({ baseURL: _ }, use) => {
    const { testUsers, cleanUp } = await openTestUsers(uniqueMark)
    await use(testUsers)
    await cleanUp()
  },
})

export { expect }

const confirmEveryMs = 5 * 60_000
let confirmedAt = 0

async function confirmAdministrator(): Promise<void> {
  if (Date.now() - confirmedAt < confirmEveryMs) return
  const api = await openApi(administrator)
  const response = await api.post('/api/confirmPassword', { headers: await token(api), data: { password } })
  expect(response.status(), await response.text()).toBe(204)
  await api.dispose()
  confirmedAt = Date.now()
}

/** A word that appears nowhere else in the inventory. */
export const uniqueMark = (): string => `e2e${randomBytes(5).toString('hex')}`

/** Chromium logs every 4xx response as an error; tests check their effects themselves. */
const clientErrorMessage = /^Failed to load resource: the server responded with a status of 4\d\d/

function recordBrowserErrors(context: BrowserContext, browserErrors: string[]): void {
  context.on('weberror', (failure) => browserErrors.push(String(failure.error())))
  context.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    if (!clientErrorMessage.test(message.text())) browserErrors.push(`${message.type()}: ${message.text()}`)
  })
  context.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? 'failed'
    // Leaving a page aborts its pending requests.
    if (reason !== 'net::ERR_ABORTED') browserErrors.push(`${reason} ${new URL(request.url()).pathname}`)
  })
}
