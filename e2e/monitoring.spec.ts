import type { APIRequestContext, Page } from '@playwright/test'
import { storageStateOf } from './harness/global-setup.ts'
import { administrator, readOnly, signInAs } from './harness/seeded-users.ts'
import { expect, test } from './harness/test.ts'
import { visit } from './harness/visit.ts'

test.use({ storageState: async ({ storageState: _ }, use) => use(storageStateOf(readOnly)) })

const grid = (page: Page) => page.getByRole('grid')
const rows = (page: Page) =>
  grid(page)
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader') })
const rowOf = (page: Page, fqdn: string) => rows(page).filter({ hasText: fqdn })
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 })
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true }).first()
const indicator = (page: Page) => page.getByRole('banner').getByRole('link', { name: /^Monitoring: / })
const chips = (page: Page) => page.getByRole('group', { name: 'Active filters' })

/** The time within which a round and the confirmation of its failures finish. */
const roundTimeout = { timeout: 45_000 }

interface MonitoredWeb {
  readonly id: number
  readonly fqdn: string
  readonly node: string | null
  readonly down_since: string | null
  readonly down_reason: string | null
  readonly http_status_code: number | null
}

const monitoredWebs = async (api: APIRequestContext): Promise<readonly MonitoredWeb[]> =>
  (await (await api.get('/api/monitoring/webs')).json()).data

/** Waits until a round has found one of the sandbox's broken webs down. */
async function downWeb(api: APIRequestContext): Promise<MonitoredWeb> {
  const found: MonitoredWeb[] = []
  await expect
    .poll(async () => {
      found.push(...(await monitoredWebs(api)).filter(({ down_since: since }) => since !== null))
      return found.length
    }, roundTimeout)
    .toBeGreaterThan(0)
  const [web] = found
  if (web === undefined) throw new Error('No web is down')
  return web
}

test('lists every probe live and pauses while the user reads', async ({ page }) => {
  await page.goto('/monitoring/events')
  await expect(heading(page, 'Events')).toBeVisible()
  await expect(rows(page).first()).toBeVisible(roundTimeout)
  await expect(page.getByText(/^Live: newest [\d,]+ probes\./)).toBeVisible()
  await expect(rows(page).first().getByRole('gridcell').nth(2)).toHaveText(/^(\d{3}|\?\?\?)$/)

  // The next round adds rows.
  const newest = () => rows(page).first().textContent()
  const before = await newest()
  await expect.poll(newest, roundTimeout).not.toBe(before)

  await page.getByRole('button', { name: 'Pause' }).click()
  await expect(page.getByText(/^Paused at \d\d:\d\d:\d\d\./)).toBeVisible()
  const paused = await newest()
  const isRequested = page.waitForRequest(/\/webs\/statistics/, { timeout: 12_000 }).then(
    () => true,
    () => false,
  )
  expect(await isRequested, 'a paused list requests nothing').toBe(false)
  expect(await newest()).toBe(paused)

  await page.getByRole('button', { name: 'Follow' }).click()
  await expect.poll(newest, roundTimeout).not.toBe(paused)

  // Scrolling down pauses the list.
  await rows(page).first().hover()
  await page.mouse.wheel(0, 300)
  await expect(page.getByText(/^Paused at/)).toBeVisible()
})

test('loads older probes page by page', async ({ page }) => {
  // Filling a page of a thousand probes would take minutes, so the pages are made smaller.
  await page.route('**/api/monitoring/webs/statistics*', (route) => {
    const url = new URL(route.request().url())
    url.searchParams.set('limit', '2')
    return route.continue({ url: url.href })
  })
  const web = await downWeb(page.request)
  const probes = async () => {
    const response = await page.request.get(`/api/monitoring/webs/statistics?web=${web.id}`)
    return (await response.json()).data.length
  }
  await expect.poll(probes, roundTimeout).toBeGreaterThan(3)
  await page.goto(`/monitoring/events?web=${web.id}`)
  await expect(rows(page)).toHaveCount(2)
  await expect(page.getByText(`Probes of ${web.fqdn} only.`)).toBeVisible()
  await page.getByRole('button', { name: 'Load older' }).click()
  await expect(rows(page)).toHaveCount(4)
  await expect(page.getByText(/^Paused at/)).toBeVisible()
  await page.getByRole('link', { name: 'Show all webs' }).click()
  await expect(page.getByText(/^Live: newest 2 probes\./)).toBeVisible()
})

test('follows from a later page by going to the first', async ({ openPage: page }) => {
  const probe = (id: number) => ({
    web: { id, fqdn: `probed-${id}.test` },
    created_at: new Date(Date.UTC(2026, 0, 1) - id * 1000).toISOString(),
    status: 200,
    response_time_ms: 10,
    reason: null,
  })
  await page.route('**/api/monitoring/webs/statistics*', (route) =>
    route.fulfill({ json: { data: Array.from({ length: 60 }, (_, index) => probe(index + 1)) } }),
  )
  await visit(page, '/monitoring/events?size=25&page=2')
  await expect(rowOf(page, 'probed-26.test')).toBeVisible()
  await expect(page.getByText(/^Paused at/)).toBeVisible()
  await page.getByRole('button', { name: 'Follow' }).click()
  await expect(page.getByText(/^Live: newest 60 probes\./)).toBeVisible()
  await expect(rowOf(page, 'probed-1.test')).toBeVisible()
  await expect(page).toHaveURL(/\/monitoring\/events\?size=25$/)
  await page.goBack()
  await expect(rowOf(page, 'probed-26.test')).toBeVisible()
  await expect(page.getByText(/^Paused at/)).toBeVisible()
})

test('says when the first probe of a web is reached', async ({ page }) => {
  await page.route('**/api/monitoring/webs/statistics*', (route) => {
    const url = new URL(route.request().url())
    // As if thousands of probes had been loaded already.
    if (url.searchParams.has('before')) url.searchParams.set('before', '2000-01-01T00:00:00.000Z')
    return route.continue({ url: url.href })
  })
  const web = await downWeb(page.request)
  await page.goto(`/monitoring/events?web=${web.id}`)
  await page.getByRole('button', { name: 'Load older' }).click()
  await expect(page.getByRole('button', { name: 'No older probes' })).toBeDisabled()
})

test('filters monitored webs by node; chips and one button remove the filters', async ({
  openPage: page,
}) => {
  const all = await monitoredWebs(page.request)
  const node = all[0]?.node ?? ''
  const there = all.filter((web) => web.node === node).length
  // Other tests change webs meanwhile.
  await page.route('**/api/monitoring/webs', (route) => route.fulfill({ json: { data: all, moved: [] } }))
  await visit(page, '/monitoring/webs?size=1000')
  await expect(heading(page, 'Check uptime')).toBeVisible()
  await expect(page.getByText(new RegExp(`of ${all.length}$`))).toBeVisible()
  expect((await grid(page).getByRole('columnheader').allInnerTexts()).map((text) => text.trim())).toEqual([
    'Id',
    'Fqdn',
    'Status',
    'Sysuser',
    'Node',
    'Customer',
    'HTTP Status Code',
    'Comment',
    'Actions',
  ])
  await expect(page.getByText(/^\d+ of \d+ webs monitored · .+ down/)).toBeVisible()

  await page.getByRole('button', { name: 'Filter Node' }).click()
  await page.getByRole('dialog', { name: 'Filter Node' }).getByRole('checkbox', { name: node }).click()
  await page.keyboard.press('Escape')
  await expect(page.getByText(`1–${there} of ${there}`)).toBeVisible()
  // The URL is updated with a delay; without the update there would be no step to go back to.
  await expect(page).toHaveURL(/f\.node/)
  await chips(page)
    .getByRole('button', { name: new RegExp(`Remove: .*${node}`) })
    .click()
  await expect(page.getByText(new RegExp(`of ${all.length}$`))).toBeVisible()
  await expect(page).not.toHaveURL(/f\.node/)
  await page.goBack()
  await expect(page.getByText(`1–${there} of ${there}`)).toBeVisible()
  await page.getByRole('button', { name: 'Reset filter' }).click()
  await expect(page.getByText(new RegExp(`of ${all.length}$`))).toBeVisible()
})

test('shows a web that is down on all screens, and since when and why on its uptime page', async ({
  openPage: page,
}) => {
  const web = await downWeb(page.request)
  await visit(page, '/')
  await expect(indicator(page)).toHaveAccessibleName(/^Monitoring: \d+ down$/)
  await expect(page.getByRole('link', { name: /^Webs down now: [1-9]/ })).toBeVisible()
  await indicator(page).click()
  await expect(heading(page, 'Check uptime')).toBeVisible()
  await expect(chips(page)).toContainText('Status: down')
  await expect(rowOf(page, web.fqdn).getByRole('img', { name: /^down for \d+ (s|min|h|d)$/ })).toBeVisible()
  await expect(rowOf(page, web.fqdn)).toContainText(String(web.http_status_code ?? '???'))
  await expect(rowOf(page, web.fqdn)).toContainText(web.down_reason ?? '')

  await rowOf(page, web.fqdn)
    .getByRole('link', { name: `Daily uptime of ${web.fqdn}` })
    .click()
  await expect(heading(page, 'Daily uptime')).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`/monitoring/webs/show/${web.id}/`))
  await expect(page.getByRole('main')).toContainText(web.fqdn)
  await expect(page.getByRole('main').getByText('down', { exact: true })).toBeVisible()
  await expect(page.getByRole('definition')).toHaveCount(4)
  await expect(section(page, 'Downtime per day').locator('svg.recharts-surface')).toBeVisible()

  const incident = section(page, 'Incidents').getByRole('row').filter({ hasText: 'ongoing' })
  await expect(incident).toHaveCount(1)
  await expect(incident.getByRole('cell').nth(2)).toHaveText(/^\d+ (s|min|h|d)/)

  // The days are also cells that the keyboard can move along.
  const days = page.getByRole('group', { name: 'Day by day' }).getByRole('img')
  await days.last().focus()
  await expect(days.last()).toHaveAccessibleName(/^\d{4}\/\d\d\/\d\d: /)
  await expect(page.getByRole('tooltip')).toBeVisible()
  await page.keyboard.press('ArrowLeft')
  await expect(days.nth(-2)).toBeFocused()

  await section(page, 'Downtime per day').getByText('Table').click()
  await expect(page).toHaveURL(/view=table/)
  const today = section(page, 'Downtime per day').getByRole('row').nth(1)
  await expect(today).toContainText(/\d+ (s|min|h)/)

  await page.getByRole('main').getByRole('link', { name: 'Check uptime' }).click()
  await expect(chips(page)).toContainText('Status: down')
})

test('acknowledges many incidents, and shows why each web is down, on all screens', async ({ page }) => {
  const incident = (id: number) => ({
    id,
    web: { id, fqdn: `www.gasthof-zur-alten-muehle-${id}.test` },
    outage_id: null,
    kind: 'down',
    node: 'n1',
    customers: ['ALPEN'],
    members: 1,
    open_members: 1,
    started_at: '2026-11-20T10:00:00.000Z',
    ended_at: null,
    status: null,
    reason:
      id === 1
        ? 'the connection was reset before the response was complete'
        : 'the server responded with status 503',
    reason_code: null,
    reason_params: null,
    alerted_at: null,
    acknowledged_at: id === 3 ? '2026-11-20T10:05:00.000Z' : null,
    acknowledged_by: null,
    snoozed_until: null,
    snoozed_by: null,
    assigned_to: { id: 1, email: 'somebody@kustos.test' },
    note: null,
    comments: 0,
  })
  let asked: unknown
  let answer: object = { status: 409, json: { message: 'Over', code: 'attention_over', params: {} } }
  await page.route('**/api/monitoring/incidents/overview*', (route) =>
    route.fulfill({ json: { data: [1, 2, 3].map(incident) } }),
  )
  await page.route('**/api/monitoring/incidents/acknowledge', (route) => {
    asked = route.request().postDataJSON()
    return route.fulfill(answer)
  })
  const bar = page.getByRole('toolbar')
  const acknowledge = bar.getByRole('button', { name: 'Acknowledge' })
  await page.goto('/monitoring/incidents')
  await expect(rows(page)).toHaveCount(3)
  for (const row of await rows(page).all()) await row.getByRole('checkbox').click()
  await acknowledge.click()
  await expect.poll(() => asked).toEqual({ ids: [1, 2] })
  const notification = page.getByRole('alert').filter({ hasText: '2 incidents: failed' })
  await expect(notification).toBeVisible()
  for (const [width, height, start] of [
    [1440, 900, 'the connection was'],
    [1024, 600, 'the connection was'],
    [390, 844, 'the server responded'],
  ] as const) {
    await page.setViewportSize({ width, height })
    const reason = grid(page).getByText(start).first()
    await expect(reason).toBeInViewport({ ratio: 0.95 })
    const state = grid(page).getByText('acknowledged', { exact: true })
    const cut = () => reason.evaluate((cell) => cell.scrollHeight - cell.clientHeight)
    await expect.poll(cut, `${width} pixels`).toBeLessThanOrEqual(1)
    const hidden = () => state.evaluate((text) => text.scrollWidth - text.clientWidth)
    await expect.poll(hidden, `${width} pixels`).toBe(0)
    const barBox = async () => (await bar.boundingBox())?.y ?? 0
    const notificationEnd = async () => {
      const box = await notification.boundingBox()
      return (box?.y ?? 0) + (box?.height ?? 0)
    }
    await expect.poll(async () => (await notificationEnd()) <= (await barBox()), `${width} pixels`).toBe(true)
  }
  answer = { status: 204 }
  await acknowledge.click()
  const done = page.getByRole('alert').filter({ hasText: '2 incidents: acknowledged' })
  await expect(done).toBeVisible()
  await expect(bar).toHaveCount(0)
  await page.route('**/api/monitoring/incidents/undo-acknowledge', (route) => route.fulfill({ status: 204 }))
  const undo = page.waitForRequest('**/api/monitoring/incidents/undo-acknowledge')
  await done.getByRole('button', { name: 'Undo' }).click()
  expect((await undo).postDataJSON()).toEqual({ ids: [1, 2] })
  await expect(page.getByText('2 incidents: acknowledgement withdrawn')).toBeVisible()
})

test('assigns an incident to the user with one click', async ({ openPage: page }) => {
  const { id } = await (await page.request.get('/api/users/current')).json()
  let body: unknown
  await page.route(/\/api\/monitoring\/incidents\/\d+$/, async (route) => {
    const response = await route.fetch()
    const assigned = body === undefined ? null : { id, email: readOnly.email }
    await route.fulfill({
      response,
      json: { ...(await response.json()), ended_at: null, assigned_to: assigned },
    })
  })
  await page.route('**/api/monitoring/incidents/*/assign', (route) => {
    body = route.request().postDataJSON()
    return route.fulfill({ status: 204 })
  })
  await visit(page, '/monitoring/incidents')
  await rows(page).first().getByRole('link').first().click()
  await page.getByRole('button', { name: 'Assign to me' }).click()
  await expect(page.getByText(`: assigned to ${readOnly.email}`)).toBeVisible()
  expect(body).toEqual({ user: id })
  await expect(section(page, 'What happened')).toContainText(readOnly.email)
  await expect(page.getByRole('button', { name: 'Assign to me' })).toHaveCount(0)
  await page.getByRole('button', { name: /^Actions: / }).click()
  await expect(page.getByRole('menuitem', { name: 'Remove assignment' })).toBeVisible()
})

test('acknowledges an incident with one click, which can be undone', async ({ openPage: page }) => {
  let acknowledgedAt: string | null = null
  await page.route(/\/api\/monitoring\/incidents\/\d+$/, async (route) => {
    const response = await route.fetch()
    const state = { ended_at: null, acknowledged_at: acknowledgedAt }
    await route.fulfill({ response, json: { ...(await response.json()), ...state } })
  })
  await page.route('**/api/monitoring/incidents/acknowledge', (route) => {
    acknowledgedAt = new Date().toISOString()
    return route.fulfill({ status: 204 })
  })
  await page.route('**/api/monitoring/incidents/undo-acknowledge', (route) => {
    acknowledgedAt = null
    return route.fulfill({ status: 204 })
  })
  await visit(page, '/monitoring/incidents')
  await rows(page).first().getByRole('link').first().click()
  const acknowledge = page.getByRole('button', { name: 'Acknowledge', exact: true })
  await acknowledge.click()
  const notification = page.getByRole('alert').filter({ hasText: ': acknowledged' })
  await expect(acknowledge).toHaveCount(0)
  await page.getByRole('button', { name: /^Actions: / }).click()
  await expect(page.getByRole('menuitem', { name: 'Withdraw acknowledgement' })).toBeVisible()
  await page.keyboard.press('Escape')
  await notification.getByRole('button', { name: 'Undo' }).click()
  await expect(acknowledge).toBeVisible()
})

test('offers no menus without actions to users who may only look', async ({ openPage: page }) => {
  const window = {
    id: 1,
    reason: 'Kernel',
    webs: [],
    nodes: ['n1'],
    customers: [],
    tags: [],
    repeats: 'once',
    starts_at: '2030-01-01T10:00:00.000Z',
    ends_at: '2030-01-01T11:00:00.000Z',
    weekdays: [],
    month_days: [],
    start_time: null,
    duration_minutes: null,
    first_day: null,
    last_day: null,
    state: 'upcoming',
    running_until: null,
    next_starts_at: '2030-01-01T10:00:00.000Z',
    planned_by: null,
    created_at: '2026-01-01T10:00:00.000Z',
    updated_at: '2026-01-01T10:00:00.000Z',
  }
  await page.route('**/api/maintenance-windows', (route) => route.fulfill({ json: { data: [window] } }))
  for (const path of ['/monitoring/channels', '/monitoring/maintenance']) {
    await visit(page, path)
    await expect(rows(page).first()).toBeVisible()
    await expect(page.getByRole('button', { name: /^Actions: / })).toHaveCount(0)
  }
})

test('shows no customer of an incident that has none', async ({ openPage: page }) => {
  await page.route(/\/api\/monitoring\/incidents\/\d+$/, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), customers: [] } })
  })
  await visit(page, '/monitoring/incidents')
  await rows(page).first().getByRole('link').first().click()
  const facts = section(page, 'What happened')
  await expect(facts.getByRole('term').filter({ hasText: 'Since' })).toBeVisible()
  await expect(facts.getByRole('term').filter({ hasText: 'Customer' })).toHaveCount(0)
})

test.describe('an administrator', () => {
  test.use({ storageState: async ({ storageState: _ }, use) => use(storageStateOf(administrator)) })

  const alertRoute = (id: number) => ({
    id,
    name: `Route ${id}`,
    is_active: true,
    customers: [],
    tags: [],
    nodes: [],
    severities: [],
    weekdays: [],
    from_time: null,
    to_time: null,
    steps: [],
    replaces_channels: false,
    continues: true,
    updated_at: '2026-01-01T00:00:00.000Z',
  })

  test('moves an alert route once for a double click, and shows the newest notification beside old errors', async ({
    page,
  }) => {
    let orders = 0
    let answer: object = { status: 403, json: { message: 'Not today.' } }
    await page.route('**/api/alert-routes', async (route) => {
      if (route.request().method() === 'GET')
        return route.fulfill({ json: { data: [1, 2, 3, 4].map(alertRoute) } })
      orders += 1
      await new Promise((resolve) => setTimeout(resolve, 300))
      await route.fulfill(answer)
    })
    await page.goto('/monitoring/alert-routes')
    const errors = page.getByRole('alert').filter({ hasText: 'Not today.' })
    const down = page.getByRole('button', { name: 'Move down: Route 1' })
    await down.dblclick()
    await expect(errors).toHaveCount(1)
    expect(orders).toBe(1)
    for (let count = 2; count <= 5; count++) {
      await down.click()
      await expect(errors).toHaveCount(count)
    }
    answer = { status: 204 }
    await down.click()
    await expect(page.getByText('Route 1: moved')).toBeVisible()
  })

  test('offers your own steps of an alert route again if someone else has changed it meanwhile', async ({
    page,
  }) => {
    const [team, night, boss] = ['Team', 'Night', 'Boss'].map((name, id) => ({ id: id + 1, name }))
    const routeOf = (channel: typeof team, updated_at: string) => ({
      ...alertRoute(1),
      steps: [{ after_minutes: 0, channels: [channel], rotas: [] }],
      updated_at,
    })
    let listed = routeOf(team, '2026-01-01T00:00:00.000Z')
    let saved: unknown
    await page.route('**/api/alert-channels', (route) =>
      route.fulfill({ json: { data: [team, night, boss] } }),
    )
    await page.route('**/api/alert-routes', (route) => route.fulfill({ json: { data: [listed] } }))
    await page.route('**/api/alert-routes/1', (route) => {
      saved = route.request().postDataJSON()
      return route.fulfill({ status: 409, json: { message: 'It has changed.' } })
    })
    await page.goto('/monitoring/alert-routes')
    await page.getByRole('button', { name: 'Edit: Route 1' }).click()
    const dialog = page.getByRole('dialog')
    const channels = dialog.getByRole('group', { name: 'Step 1: at once' }).getByLabel('Channels')
    const choose = async (name: string) => {
      await channels.fill(name)
      await page.getByRole('option', { name }).click()
    }
    const save = dialog.getByRole('button', { name: 'Save' })
    await channels.press('Backspace')
    await save.click()
    await expect(channels).toBeFocused()
    await choose('Night')
    await save.click()
    listed = routeOf(boss, '2026-01-02T00:00:00.000Z')
    await dialog.getByRole('button', { name: 'Load latest' }).click()
    await expect(dialog.getByText(/Yours: .*Night/)).toBeVisible()
    await dialog.getByRole('button', { name: 'Use mine' }).click()
    await save.click()
    await expect
      .poll(() => saved)
      .toMatchObject({
        steps: [{ channels: [night?.id] }],
        updated_at: listed.updated_at,
      })
  })
})

test('updates the duration of an ongoing incident', async ({ page }) => {
  const web = await downWeb(page.request)
  await page.clock.install()
  await page.goto(`/monitoring/webs/show/${web.id}/${web.fqdn}`)
  const incident = section(page, 'Incidents').getByRole('row').filter({ hasText: 'ongoing' })
  const duration = incident.getByRole('cell').nth(2)
  await expect(duration).toHaveText(/^\d+ (s|min|h|d)/)
  const before = (await duration.textContent()) ?? ''
  await page.clock.fastForward('02:00:00')
  await expect(duration).not.toHaveText(before)
})

test('updates the duration of an ongoing incident in the list of incidents', async ({ page }) => {
  await page.clock.install()
  await page.goto('/monitoring/incidents?f.state=any-of:open&sort=started_at')
  const first = rows(page).first()
  await expect(first).toBeVisible()
  const duration = first.getByRole('gridcell').filter({ hasText: /^\d+ (d|h|min|s)( \d+ (h|min|s))?$/ })
  const before = (await duration.textContent()) ?? ''
  await page.clock.fastForward('50:00:00')
  await expect(duration).not.toHaveText(before)
})

test('identifies a web by the id in the URL, not by the name', async ({ openPage: page }) => {
  const [web] = await monitoredWebs(page.request)
  await visit(page, `/monitoring/webs/show/${web?.id}/another.test`)
  await expect(page.getByRole('main')).toContainText(web?.fqdn ?? '')
  await expect(page.getByText('another.test')).toHaveCount(0)
  await visit(page, '/monitoring/webs/show/999999/another.test')
  await expect(page.getByText('Web 999999 doesn’t exist')).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Check uptime' }).last().click()
  await expect(heading(page, 'Check uptime')).toBeVisible()
})

test('shows in the web list, on its page and its node’s page since when a web is down, with a link to its uptime', async ({
  openPage: page,
  baseURL,
}) => {
  const api = await signInAs(administrator, baseURL ?? '')
  const web = await downWeb(api)
  await api.dispose()
  await visit(page, `/hosting?q=${web.fqdn}`)
  await expect(rowOf(page, web.fqdn).getByRole('img', { name: /^down for / })).toBeVisible()
  await grid(page)
    .getByRole('button', { name: `Actions: ${web.fqdn}` })
    .click()
  await page.getByRole('menuitem', { name: 'Daily uptime' }).click()
  await expect(heading(page, 'Daily uptime')).toBeVisible()
  await visit(page, `/hosting/show/${web.id}`)
  await page
    .getByRole('main')
    .getByRole('link', { name: /^down for \d+ (s|min|h|d)$/ })
    .click()
  await expect(heading(page, web.fqdn)).toBeVisible()
  await expect(page).toHaveURL(/\/monitoring\/incidents\/\d+$/)
  await visit(page, `/nodes/${web.node}`)
  await expect(section(page, 'Webs').getByRole('row').filter({ hasText: web.fqdn })).toContainText(
    web.down_reason ?? '',
  )
})

test('hides monitoring from users without the permission', async ({ page }) => {
  // Every seeded user has the permission, so it is removed from the response.
  await page.route('**/api/users/current', async (route) => {
    const response = await route.fetch()
    const user = await response.json()
    const permissions = user.permissions.filter((name: string) => !name.includes('monitoring'))
    await route.fulfill({ response, json: { ...user, permissions } })
  })
  await page.goto('/monitoring/webs')
  await expect(heading(page, 'Dashboard')).toBeVisible()
  await expect(page).toHaveURL(/\/$/)
  await expect(page.getByRole('region', { name: 'Hosting' })).toBeVisible()
  await expect(page.getByText('Monitoring')).toHaveCount(0)
  await expect(indicator(page)).toHaveCount(0)
  const list = await (await page.request.get('/api/webs')).json()
  await page.goto(`/hosting?q=${list.data[0].fqdn}`)
  await grid(page)
    .getByRole('button', { name: /^Actions: / })
    .first()
    .click()
  await expect(page.getByRole('menuitem', { name: 'Open website' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Daily uptime' })).toHaveCount(0)
})
