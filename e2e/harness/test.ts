import { randomBytes } from 'node:crypto'
import {
  type BrowserContext,
  test as base,
  type ConsoleMessage,
  expect,
  type Page,
  type Request,
  type WebError,
} from '@playwright/test'
import { openApi } from './global-setup.ts'
import { administrator, password, token } from './seeded-users.ts'
import { openTestUsers, type TestUsers } from './test-users.ts'
import { leaveScreen } from './visit.ts'

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
  /**
   * The console in a page that stays loaded from test to test, which takes a quarter of the processor time of `page`. For tests of
   * a signed-in user that neither depend on how the console loads nor change its columns. They open their screen with `visit`.
   */
  readonly openPage: Page
  readonly testWebs: TestWebs
  readonly testUsers: TestUsers
  /** Keeps the administrator's session confirmed, because the tests take longer than that lasts. */
  readonly confirmedAdministrator: undefined
  /** Errors and warnings of the browser, on all pages of all contexts that the test opens. */
  readonly browserErrors: string[]
}

interface WorkerFixtures {
  /** The loaded pages by the session of their user. */
  readonly openPages: Map<unknown, Page>
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  baseURL: async ({ baseURL: _ }, use) => use(process.env.KUSTOS_URL),

  openPages: [
    async ({ browser: _ }, use) => {
      const openPages = new Map<unknown, Page>()
      await use(openPages)
      for (const page of openPages.values()) await page.context().close()
    },
    { scope: 'worker' },
  ],

  openPage: async ({ browser, openPages, storageState, viewport, colorScheme }, use) => {
    const page = openPages.get(storageState) ?? (await (await browser.newContext()).newPage())
    openPages.set(storageState, page)
    if (viewport) await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme })
    await use(page)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    if (await leaveScreen(page)) return
    openPages.delete(storageState)
    await page.context().close()
  },

  browserErrors: [
    async ({ browser }, use) => {
      const browserErrors: string[] = []
      const stops: (() => void)[] = []
      const record = (context: BrowserContext) => void stops.push(recordBrowserErrors(context, browserErrors))
      for (const context of browser.contexts()) record(context)
      // The test's own context is opened later, because this fixture is set up first.
      browser.on('context', record)
      await use(browserErrors)
      browser.off('context', record)
      for (const stop of stops) stop()
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
        const response = await api.post('/api/webs', { headers, data, ...afterReset })
        expect(response.status(), await response.text()).toBe(201)
        const { id, fqdn, customer } = await response.json()
        created.push({ id, fqdn, customer })
        return { id, fqdn, customer }
      },
      async change(web, fields) {
        const before = await (await api.get(`/api/webs/${web.id}`, afterReset)).json()
        const { fqdn, customer, configured_ip } = before
        const response = await api.put(`/api/webs/${web.id}`, {
          headers,
          data: { fqdn, customer, configured_ip, ...fields },
          ...afterReset,
        })
        expect(response.status(), await response.text()).toBe(204)
      },
    })
    for (const { id } of created) await api.delete(`/api/webs/${id}`, { headers, ...afterReset })
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

/** For requests on connections that were idle, which the server may close just when they are used again. */
export const afterReset = { maxRetries: 2 } as const

/** A word that appears nowhere else in the inventory. */
export const uniqueMark = (): string => `e2e${randomBytes(5).toString('hex')}`

/** Chromium logs every 4xx response as an error; tests check their effects themselves. */
const clientErrorMessage = /^Failed to load resource: the server responded with a status of 4\d\d/

/** @returns a function that stops recording */
function recordBrowserErrors(context: BrowserContext, browserErrors: string[]): () => void {
  const onError = (failure: WebError) => void browserErrors.push(String(failure.error()))
  const onMessage = (message: ConsoleMessage) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    if (!clientErrorMessage.test(message.text())) browserErrors.push(`${message.type()}: ${message.text()}`)
  }
  const onFailure = (request: Request) => {
    const reason = request.failure()?.errorText ?? 'failed'
    // Leaving a page aborts its pending requests.
    if (reason !== 'net::ERR_ABORTED') browserErrors.push(`${reason} ${new URL(request.url()).pathname}`)
  }
  context.on('weberror', onError)
  context.on('console', onMessage)
  context.on('requestfailed', onFailure)
  return () => {
    context.off('weberror', onError)
    context.off('console', onMessage)
    context.off('requestfailed', onFailure)
  }
}
