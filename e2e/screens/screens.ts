import type { Page } from '@playwright/test'
import type { ScreenName } from '../../apps/web/src/app/screens.ts'
import { expect } from '../harness/test.ts'

/** A URL and how to tell that it is loaded. */
export interface View {
  readonly path: string
  /** Waits until the screen is complete. */
  readonly expectLoaded: (page: Page) => Promise<void>
  /** Requests that fail on this view, because it shows something that does not exist. */
  readonly expectedFailures?: readonly string[]
}

/** The texts shown for empty lists; null if the screen has no lists that can be empty. */
type Emptiness = readonly string[] | null

export interface Screen extends View {
  readonly empty: Emptiness
  /** Whether the screen is complete without a response of the API. */
  readonly isStatic?: true
}

/** Probe results appear after the first round has been evaluated. */
const roundTimeout = { timeout: 45_000 }

const heading = (name: string | RegExp) => async (page: Page) => {
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
}
export const row = (page: Page) => page.getByRole('grid').getByRole('rowheader').first()
/** Skeletons and other placeholders of the main part. */
export const placeholders = (page: Page) =>
  page.getByRole('main').locator('[aria-busy=true], .mantine-Skeleton-root')

const rows = async (page: Page) => expect(row(page)).toBeVisible()
const rowsOfARound = async (page: Page) => expect(row(page)).toBeVisible(roundTimeout)
const missing = (name: string) => async (page: Page) => expect(page.getByText(name)).toBeVisible()
const form = (name: string | RegExp, button: string) => async (page: Page) => {
  await heading(name)(page)
  await expect(page.getByRole('button', { name: button, exact: true })).toBeVisible()
}
const complete = async (page: Page) => expect(placeholders(page)).toHaveCount(0)

const uptime = async (page: Page) => {
  await heading('Daily uptime')(page)
  await expect(page.getByRole('definition').first()).toBeVisible()
  await complete(page)
}

/** Every screen of the router by name. */
export const screens: Readonly<Record<ScreenName, Screen>> = {
  home: {
    path: '/',
    expectLoaded: async (page) => {
      await heading('Dashboard')(page)
      await expect(page.getByText('Inactive')).toBeVisible()
      await expect(page.getByRole('region', { name: 'Needs attention' })).toBeVisible()
      await complete(page)
    },
    empty: null,
  },
  'hosting-web-list': { path: '/hosting', expectLoaded: rows, empty: ['No webs yet'] },
  'hosting-web-add': { path: '/hosting/add', expectLoaded: form('Create web', 'Create'), empty: null },
  'hosting-web-show': {
    path: '/hosting/show/1',
    expectLoaded: async (page) => {
      await expect(
        page.getByRole('region', { name: 'Last checked' }).getByRole('definition').first(),
      ).toBeVisible()
      await complete(page)
    },
    empty: [
      'No data yet',
      'No response times yet',
      'No incidents',
      'No deployments yet',
      'No audits yet',
      'No changes yet.',
    ],
  },
  'hosting-web-edit': { path: '/hosting/edit/1', expectLoaded: form(/^Web 1: /, 'Save'), empty: null },
  nodes: { path: '/nodes', expectLoaded: rows, empty: ['No nodes yet'] },
  'nodes-show': {
    path: '/nodes/bz-cloud-01',
    expectLoaded: async (page) => {
      await heading('bz-cloud-01')(page)
      await expect(page.getByRole('region', { name: 'Timeline' })).toBeVisible()
      await complete(page)
    },
    empty: ['Nothing happened in this time.'],
  },
  'nodes-discovery': {
    path: '/nodes/1/discovery',
    expectLoaded: async (page) => expect(page.getByText('Not scanned yet')).toBeVisible(),
    empty: ['Not scanned yet'],
  },
  customers: { path: '/customers', expectLoaded: rows, empty: ['No customers yet'] },
  'customers-show': {
    path: '/customers/ALPENHOF',
    expectLoaded: async (page) => {
      await heading(/^ALPENHOF/)(page)
      await expect(page.getByRole('region', { name: 'Timeline' })).toBeVisible()
      await complete(page)
    },
    empty: ['Nothing happened in this time.'],
  },
  tags: { path: '/tags', expectLoaded: rows, empty: ['No tags yet'] },
  'hosting-bitbucket': { path: '/hosting/bitbucket', expectLoaded: rows, empty: ['No repositories'] },
  'hosting-tracking': { path: '/hosting/tracking', expectLoaded: rows, empty: ['No audited webs'] },
  'hosting-tracking-show': {
    path: '/hosting/tracking/1',
    expectLoaded: async (page) => {
      await heading('Tracking')(page)
      await complete(page)
    },
    empty: ['No audits yet'],
  },
  'hosting-third-parties': {
    path: '/hosting/third-parties',
    expectLoaded: rows,
    empty: ['No third parties seen yet'],
  },
  newweb: {
    path: '/deployment/newweb',
    expectLoaded: form('New web', 'Request'),
    empty: ['No kickstarters'],
  },
  newschnuppertagweb: {
    path: '/deployment/newschnuppertagweb',
    expectLoaded: form(/^Trial/, 'Request'),
    empty: null,
  },
  forkweb: {
    path: '/deployment/forkweb',
    expectLoaded: form('Fork web', 'Request'),
    empty: ['No forkable repositories'],
  },
  'limitis-alldomains': {
    path: '/limitis/alldomains',
    expectLoaded: rows,
    empty: ['No domains yet'],
  },
  'limitis-externaldomains': {
    path: '/limitis/externaldomains/list',
    expectLoaded: rows,
    empty: ['No external domains yet'],
  },
  'limitis-externaldomains-add': {
    path: '/limitis/externaldomains/add',
    expectLoaded: async (page) => expect(page.getByRole('textbox', { name: 'FQDNs' })).toBeVisible(),
    empty: null,
    isStatic: true,
  },
  'limitis-limitisdomains': {
    path: '/limitis/limitisdomains',
    expectLoaded: rows,
    empty: ['No own domains'],
  },
  'limitis-emails': { path: '/limitis/emails', expectLoaded: rows, empty: ['No mailboxes'] },
  'domains-show': {
    path: '/domains/alpenhof.test',
    expectLoaded: async (page) => {
      await heading('alpenhof.test')(page)
      await complete(page)
    },
    empty: null,
  },
  'monitoring-webs': {
    path: '/monitoring/webs',
    expectLoaded: async (page) => {
      await rows(page)
      await expect(page.getByText(/webs monitored/)).toBeVisible()
    },
    empty: ['No monitored webs'],
  },
  'monitoring-webs-show': {
    path: '/monitoring/webs/show/1/web.test',
    expectLoaded: uptime,
    empty: ['No data yet', 'No response times yet', 'No incidents'],
  },
  'monitoring-incidents': { path: '/monitoring/incidents', expectLoaded: rows, empty: ['No incidents'] },
  'monitoring-incidents-show': {
    path: '/monitoring/incidents/1',
    expectLoaded: async (page) => {
      await expect(page.getByRole('region', { name: 'What happened' })).toBeVisible()
      await complete(page)
    },
    empty: ['No comments yet.'],
  },
  'monitoring-on-call': {
    path: '/monitoring/on-call',
    expectLoaded: async (page) => {
      await heading('On call')(page)
      await complete(page)
    },
    empty: ['No rotas'],
  },
  'monitoring-alert-routes': {
    path: '/monitoring/alert-routes',
    expectLoaded: async (page) => {
      await heading('Alert routes')(page)
      await complete(page)
    },
    empty: ['No alert routes'],
  },
  'monitoring-events': {
    path: '/monitoring/events',
    expectLoaded: rowsOfARound,
    empty: ['No probes yet'],
  },
  'monitoring-channels': { path: '/monitoring/channels', expectLoaded: rows, empty: ['No channels'] },
  maintenance: { path: '/monitoring/maintenance', expectLoaded: rows, empty: ['No maintenance windows'] },
  queue: { path: '/queue', expectLoaded: heading('Queue'), empty: ['No deployments'] },
  'queue-show': {
    path: '/queue/1',
    expectLoaded: async (page) => {
      await heading(/ · /)(page)
      await expect(page.getByRole('log')).toBeVisible()
      await complete(page)
    },
    empty: ['No output'],
  },
  batches: { path: '/batches', expectLoaded: heading('Batches'), empty: ['No batches'] },
  'batches-show': {
    path: '/batches/1',
    expectLoaded: async (page) => {
      await heading(/ · /)(page)
      await rows(page)
    },
    empty: null,
  },
  logs: { path: '/logs', expectLoaded: rows, empty: ['The log is empty'] },
  'admin-user-management': {
    path: '/admin/user-management',
    expectLoaded: rows,
    empty: ['No users yet'],
  },
  'admin-user-management-add': {
    path: '/admin/user-management/add',
    expectLoaded: form(/user/i, 'Create'),
    empty: null,
  },
  'admin-user-management-edit': {
    path: '/admin/user-management/edit/2',
    expectLoaded: async (page) => {
      await expect(page.getByRole('button', { name: 'Save' })).toBeVisible()
      await expect(page.getByRole('region', { name: 'Activity' }).getByRole('list')).not.toHaveCount(0)
      await complete(page)
    },
    empty: ['No activity yet.'],
  },
  'admin-roles': {
    path: '/admin/roles',
    expectLoaded: async (page) => {
      const box = page.getByRole('checkbox', { name: 'view queue: read only' })
      const choice = page.getByRole('combobox', { name: 'Role', exact: true })
      await expect(box.or(choice).first()).toBeVisible()
    },
    empty: null,
  },
  'user-settings': {
    path: '/settings',
    expectLoaded: async (page) => {
      await heading('Settings')(page)
      await expect(page.getByRole('region', { name: 'Sessions' }).getByRole('listitem')).not.toHaveCount(0)
    },
    empty: null,
  },
}

/** Further views of these screens: other columns, missing and deleted records. */
export const views: Readonly<Record<string, View>> = {
  'webs-all-columns': {
    path: '/hosting?sets=sites,node,customer,status,categories,tags,domain_location,comment,system&f.id=%3E:0&q=test',
    expectLoaded: rows,
  },
  'webs-deleted': { path: '/hosting?deleted=1', expectLoaded: heading('Deleted webs') },
  'web-missing': {
    path: '/hosting/show/999999',
    expectLoaded: missing('Web 999999 doesn’t exist'),
    expectedFailures: [
      '404 /api/monitoring/webs/uptime',
      '404 /api/webs/999999',
      '404 /api/webs/999999/certificates',
      '404 /api/webs/999999/facts',
      '404 /api/webs/999999/tracking',
    ],
  },
  'edit-missing': {
    path: '/hosting/edit/999999',
    expectLoaded: missing('Web 999999 doesn’t exist'),
    expectedFailures: ['404 /api/webs/999999'],
  },
  'tracking-consent': { path: '/hosting/tracking?sets=referrer,topics,usercentrics', expectLoaded: rows },
  'external-domains-check': { path: '/limitis/externaldomains/list?sets=check', expectLoaded: rows },
  'check-uptime-down': {
    path: '/monitoring/webs?f.state=any-of:down&sets=probe',
    expectLoaded: rowsOfARound,
  },
  'uptime-table': { path: '/monitoring/webs/show/1/web.test?view=table', expectLoaded: uptime },
  'uptime-missing': {
    path: '/monitoring/webs/show/999999/web.test',
    expectLoaded: missing('Web 999999 doesn’t exist'),
    expectedFailures: ['404 /api/monitoring/webs/999999', '404 /api/monitoring/webs/uptime'],
  },
  'deployment-missing': {
    path: '/queue/999999',
    expectLoaded: missing('Deployment 999999 doesn’t exist'),
    expectedFailures: ['404 /api/deployments/999999'],
  },
  'user-deleted': {
    path: '/admin/user-management/edit/7',
    expectLoaded: missing('This user is deleted'),
  },
  'user-missing': {
    path: '/admin/user-management/edit/999999',
    expectLoaded: missing('User 999999 doesn’t exist'),
    expectedFailures: ['404 /api/users/999999'],
  },
  '404': { path: '/no/such/path', expectLoaded: heading('404') },
}

/** Groups of four, so that tests take about the same time. */
export const groupsOfFour = <Thing>(things: readonly Thing[]): readonly (readonly Thing[])[] =>
  things.length === 0 ? [] : [things.slice(0, 4), ...groupsOfFour(things.slice(4))]
