import type { APIRequestContext } from '@playwright/test'
import { expectNoInjection, payloads, recordSideEffects, waitUntilSettled } from './harness/injection.ts'
import { administrator, password, signIn, signInAs, token } from './harness/seeded-users.ts'
import { expect, test, uniqueMark } from './harness/test.ts'
import { ownPassword } from './harness/test-users.ts'
import { visit } from './harness/visit.ts'

type Body = Readonly<Record<string, unknown>>

interface Kind {
  readonly path: string
  /** A request body whose fields accept any text. */
  readonly right: () => Body
}

const kinds = {
  webs: {
    path: '/api/webs',
    right: () => ({
      fqdn: `${uniqueMark()}.test`,
      customer: 'A',
      configured_ip: '192.0.2.7',
      comment: '',
      framework_name: '',
      framework_version: '',
      node: '',
      monitoring_web_reporting_channel: '',
      auftragnr_hosting: ['1'],
    }),
  },
  roles: { path: '/api/roles', right: () => ({ name: uniqueMark(), permissions: [] }) },
  domains: {
    path: '/api/externalDomains',
    right: () => ({ fqdn: `${uniqueMark()}.test`, customer: 'A', domainprovider: 'A' }),
  },
} satisfies Record<string, Kind>

/** Fills every field that accepts any text with a payload. */
async function fill(api: APIRequestContext, { path, right }: Kind, mark: string) {
  const headers = await token(api)
  const ids: number[] = []
  const hostileText: Record<string, unknown> = {}
  for (const [number, [field, value]] of Object.entries(right()).entries()) {
    const text = `${mark} ${payloads[number % payloads.length]}`
    const fieldValue = Array.isArray(value) ? [text] : text
    const response = await api.post(path, { headers, data: { ...right(), [field]: fieldValue } })
    if (response.status() !== 201) continue
    ids.push((await response.json()).id)
    hostileText[field] = fieldValue
  }
  for (const id of ids) await api.delete(`${path}/${id}`, { headers })
  const response = await api.post(path, { headers, data: { ...right(), ...hostileText } })
  expect(response.status(), await response.text()).toBe(201)
  const { id } = (await response.json()) as { id: number }
  return { id, fields: Object.keys(hostileText).sort() }
}

test('shows stored text as text on every screen', async ({ page, baseURL }) => {
  test.setTimeout(120_000)
  const origin = new URL(baseURL ?? '').origin
  const api = await signInAs(administrator, baseURL ?? '')
  const headers = await token(api)
  const mark = uniqueMark()
  const web = await fill(api, kinds.webs, mark)
  const role = await fill(api, kinds.roles, mark)
  const domain = await fill(api, kinds.domains, mark)
  expect([web.fields, role.fields, domain.fields]).toEqual([
    ['auftragnr_hosting', 'comment', 'customer', 'framework_name', 'framework_version'],
    ['name'],
    ['customer', 'domainprovider'],
  ])
  const email = `${mark}@kustos.test`
  const name = `${mark} ${payloads[0]}`
  const admins = ((await (await api.get('/api/roles')).json()) as { id: number; name: string }[]).filter(
    (one) => one.name === 'admin',
  )
  const roles = [role.id, ...admins.map(({ id }) => id)]
  const createdUser = await api.post('/api/users', {
    headers,
    data: { email, name, password: ownPassword, roles },
  })
  expect(createdUser.status(), await createdUser.text()).toBe(201)
  const { id: userId } = (await createdUser.json()) as { id: number }

  const sideEffects = await recordSideEffects(page, origin)
  try {
    await signIn(page.request, email, ownPassword)
    await page.goto('/')
    await expect(page.getByRole('button', { name: `User menu for ${name}` })).toBeVisible()

    const shown = page.locator('#root').getByText(mark).first()
    for (const path of [
      `/hosting?q=${mark}&sets=sites,node,customer,status,categories,domain_location,comment,system`,
      `/hosting/show/${web.id}`,
      `/monitoring/webs?q=${mark}`,
      `/limitis/alldomains?q=${mark}`,
      `/limitis/externaldomains/list?q=${mark}`,
      `/admin/user-management?q=${mark}`,
      '/admin/roles',
      '/settings',
      `/logs?search=${mark}`,
      '/',
    ]) {
      await test.step(path, async () => {
        await visit(page, path)
        await waitUntilSettled(page)
        await expect(shown).toBeAttached()
        await expectNoInjection(page)
      })
    }
    for (const path of [
      `/hosting/edit/${web.id}`,
      `/admin/user-management/edit/${userId}`,
      `/hosting/tracking/${web.id}`,
    ]) {
      await test.step(path, async () => {
        await visit(page, path)
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
        await waitUntilSettled(page)
        await expectNoInjection(page)
      })
    }
    await test.step('in the palette', async () => {
      await page.getByRole('button', { name: 'Search or jump to…' }).click()
      await page.getByRole('combobox', { name: 'Search webs, screens and actions' }).fill(mark)
      await expect(page.getByRole('group', { name: 'Webs' })).toBeVisible()
      await expectNoInjection(page)
    })
    await test.step('a filter and a URL that contain it', async () => {
      for (const payload of payloads) {
        const value = encodeURIComponent(payload)
        await page.goto(`/hosting?q=${value}&f.customer=${value}&sort=${value}&sets=customer,${value}`)
        await waitUntilSettled(page)
        await expectNoInjection(page)
      }
      await page.goto(`/no/such/${encodeURIComponent(payloads[0])}#${payloads[1]}`)
      await expect(page.getByRole('heading', { name: '404' })).toBeVisible()
      await expectNoInjection(page)
    })
    expect(sideEffects).toEqual([])
  } finally {
    await api.delete(`/api/webs/${web.id}`, { headers })
    await api.delete(`/api/externalDomains/${domain.id}`, { headers })
    await api.put(`/api/users/${userId}`, {
      headers,
      data: { email, name: mark, roles: admins.map(({ id }) => id) },
    })
    await api.delete(`/api/users/${userId}`, { headers })
    await api.delete(`/api/roles/${role.id}`, { headers })
    await api.dispose()
  }
})

test('signing in never redirects to another origin', async ({ page, baseURL }) => {
  const origin = new URL(baseURL ?? '').origin
  const sideEffects = await recordSideEffects(page, origin)
  for (const path of [
    '/?next=https://evil.test/&redirect=//evil.test&returnTo=javascript:alert(1)#https://evil.test',
    '//evil.test/',
    '/%2f%2fevil.test',
    '/\\evil.test',
    '/login?continue=https://evil.test',
  ]) {
    await page.goto(`${origin}${path}`)
    await page.getByLabel('E-Mail').fill('read-only@kustos.test')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Login' }).click()
    await expect(page.getByRole('button', { name: /^User menu/ })).toBeVisible()
    expect([path, new URL(page.url()).origin]).toEqual([path, origin])
    await page.context().clearCookies()
  }
  expect(sideEffects).toEqual([])
})
