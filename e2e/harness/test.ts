import { randomBytes } from 'node:crypto'
import { type BrowserContext, test as base, expect } from '@playwright/test'
import { administrator, signInAs, token } from './people.ts'
import { hire, type Staff } from './staff.ts'

/** A web that a test has to itself. */
export interface OwnWeb {
  readonly id: number
  readonly fqdn: string
  readonly customer: string
}

export interface Inventory {
  /** Adds a web through the API; after the test it is deleted. */
  add(fields?: Readonly<Record<string, unknown>>): Promise<OwnWeb>
  /** Changes a web as a colleague would, through the API. */
  change(web: OwnWeb, fields: Readonly<Record<string, unknown>>): Promise<void>
}

interface Fixtures {
  readonly inventory: Inventory
  readonly staff: Staff
  /** What the browser said that it should not have, on any page of any context that the test opens. */
  readonly complaints: string[]
}

export const test = base.extend<Fixtures>({
  baseURL: async ({ baseURL: _ }, use) => use(process.env.KUSTOS_URL),

  complaints: [
    async ({ browser }, use) => {
      const complaints: string[] = []
      const hear = (context: BrowserContext) => listen(context, complaints)
      // The test's own context comes later too: this fixture is set up first of all.
      browser.on('context', hear)
      await use(complaints)
      browser.off('context', hear)
      expect(complaints, 'what the browser complained of').toEqual([])
    },
    { auto: true },
  ],

  inventory: async ({ baseURL }, use) => {
    const api = await signInAs(administrator, baseURL ?? '')
    const headers = await token(api)
    const added: OwnWeb[] = []
    await use({
      async add(fields = {}) {
        const mark = uniqueMark()
        const data = { fqdn: `${mark}.test`, customer: 'WALKER', configured_ip: '192.0.2.7', ...fields }
        const answer = await api.post('/api/webs', { headers, data })
        expect(answer.status(), await answer.text()).toBe(201)
        const { id, fqdn, customer } = await answer.json()
        added.push({ id, fqdn, customer })
        return { id, fqdn, customer }
      },
      async change(web, fields) {
        const before = await (await api.get(`/api/webs/${web.id}`)).json()
        const { fqdn, customer, configured_ip } = before
        const answer = await api.put(`/api/webs/${web.id}`, {
          headers,
          data: { fqdn, customer, configured_ip, ...fields },
        })
        expect(answer.status(), await answer.text()).toBe(204)
      },
    })
    for (const { id } of added) await api.delete(`/api/webs/${id}`, { headers })
    await api.dispose()
  },

  staff: async ({ baseURL }, use) => {
    const { staff, dismiss } = await hire(baseURL ?? '', uniqueMark)
    await use(staff)
    await dismiss()
  },
})

export { expect }

/** A word that nothing else in the inventory contains. */
export const uniqueMark = (): string => `walk${randomBytes(5).toString('hex')}`

/** Chromium reports every answer from 400 on as an error; what such an answer leads to is the tests' own matter. */
const refusedRequest = /^Failed to load resource: the server responded with a status of 4\d\d/

function listen(context: BrowserContext, complaints: string[]): void {
  context.on('weberror', (failure) => complaints.push(String(failure.error())))
  context.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    if (!refusedRequest.test(message.text())) complaints.push(`${message.type()}: ${message.text()}`)
  })
  context.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? 'failed'
    // A page that is left breaks off what it has asked for.
    if (reason !== 'net::ERR_ABORTED') complaints.push(`${reason} ${new URL(request.url()).pathname}`)
  })
}
