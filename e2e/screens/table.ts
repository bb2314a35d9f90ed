import type { Page } from '@playwright/test'
import type { ScreenName } from '../../apps/web/src/app/screens.ts'
import { expect } from '../harness/test.ts'

/** An address and how it looks once it stands there. */
export interface View {
  readonly path: string
  /** Says that the screen stands there complete. */
  readonly arrived: (page: Page) => Promise<void>
  /** The requests that the server may refuse: the view is about what is not there. */
  readonly refused?: readonly string[]
}

/** What stands there instead of lists without rows; `null` where a screen has none, or none that can be without. */
type Emptiness = readonly string[] | null

export interface Screen extends View {
  readonly empty: Emptiness
  /** Whether it stands there at once, whatever the server answers later. */
  readonly asksNothing?: true
}

/** Until a round has been judged, the header says of a web what it does not know yet. */
const aRound = { timeout: 45_000 }

const heading = (name: string | RegExp) => async (page: Page) => {
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
}
export const row = (page: Page) => page.getByRole('grid').getByRole('rowheader').first()
/** What stands for something that is on its way. */
export const placeholders = (page: Page) =>
  page.getByRole('main').locator('[aria-busy=true], .mantine-Skeleton-root')

const rows = async (page: Page) => expect(row(page)).toBeVisible()
const rowsOfARound = async (page: Page) => expect(row(page)).toBeVisible(aRound)
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

/** Every screen of the router, by its name there. */
export const screens: Readonly<Record<ScreenName, Screen>> = {
  home: {
    path: '/',
    arrived: async (page) => {
      await heading('Dashboard')(page)
      await expect(page.getByText('Inactive')).toBeVisible()
      await complete(page)
    },
    empty: null,
  },
  'hosting-web-list': { path: '/hosting', arrived: rows, empty: ['There are no webs yet'] },
  'hosting-web-add': { path: '/hosting/add', arrived: form('Add a web', 'Create'), empty: null },
  'hosting-web-show': {
    path: '/hosting/show/1',
    arrived: async (page) => {
      await expect(
        page.getByRole('region', { name: 'Last seen' }).getByRole('definition').first(),
      ).toBeVisible()
      await complete(page)
    },
    empty: [
      'Nothing is known yet',
      'No answer has been measured yet',
      'No incident',
      'Nothing was deployed yet',
      'This web has not been audited yet',
      'Nothing of it has been changed yet.',
    ],
  },
  'hosting-web-edit': { path: '/hosting/edit/1', arrived: form(/^Web 1: /, 'Save'), empty: null },
  'hosting-bitbucket': { path: '/hosting/bitbucket', arrived: rows, empty: ['There are no repositories'] },
  'hosting-tracking': { path: '/hosting/tracking', arrived: rows, empty: ['No web is audited'] },
  'hosting-tracking-show': {
    path: '/hosting/tracking/1',
    arrived: async (page) => {
      await heading('Tracking')(page)
      await complete(page)
    },
    empty: ['This web has not been audited yet'],
  },
  newweb: {
    path: '/deployment/newweb',
    arrived: form('New web', 'Request'),
    empty: ['There is no kickstarter'],
  },
  newschnuppertagweb: {
    path: '/deployment/newschnuppertagweb',
    arrived: form(/^Trial/, 'Request'),
    empty: null,
  },
  forkweb: {
    path: '/deployment/forkweb',
    arrived: form('Fork web', 'Request'),
    empty: ['There is nothing to fork'],
  },
  'limitis-alldomains': {
    path: '/limitis/alldomains',
    arrived: rows,
    empty: ['There are no domains yet'],
  },
  'limitis-externaldomains': {
    path: '/limitis/externaldomains/list',
    arrived: rows,
    empty: ['There are no external domains yet'],
  },
  'limitis-externaldomains-add': {
    path: '/limitis/externaldomains/add',
    arrived: async (page) => expect(page.getByRole('textbox', { name: 'FQDNs' })).toBeVisible(),
    empty: null,
    asksNothing: true,
  },
  'limitis-limitisdomains': {
    path: '/limitis/limitisdomains',
    arrived: rows,
    empty: ['There are no own domains'],
  },
  'limitis-emails': { path: '/limitis/emails', arrived: rows, empty: ['There are no mailboxes'] },
  'monitoring-webs': {
    path: '/monitoring/webs',
    arrived: async (page) => {
      await rows(page)
      await expect(page.getByText(/webs are watched/)).toBeVisible()
    },
    empty: ['No web is watched'],
  },
  'monitoring-webs-show': {
    path: '/monitoring/webs/show/1/web.test',
    arrived: uptime,
    empty: ['Nothing is known yet', 'No answer has been measured yet', 'No incident'],
  },
  'monitoring-events': {
    path: '/monitoring/events',
    arrived: rowsOfARound,
    empty: ['There are no probes yet'],
  },
  queue: { path: '/queue', arrived: heading('Queue'), empty: ['The queue is empty'] },
  'queue-show': {
    path: '/queue/1',
    arrived: async (page) => {
      await heading(/ · /)(page)
      await expect(page.getByRole('log')).toBeVisible()
      await complete(page)
    },
    empty: ['Nothing has been written'],
  },
  logs: { path: '/logs', arrived: rows, empty: ['The log is empty'] },
  'admin-user-management': {
    path: '/admin/user-management',
    arrived: rows,
    empty: ['There are no users yet'],
  },
  'admin-user-management-add': {
    path: '/admin/user-management/add',
    arrived: form(/user/i, 'Create'),
    empty: null,
  },
  'admin-user-management-edit': {
    path: '/admin/user-management/edit/2',
    arrived: async (page) => {
      await expect(page.getByRole('button', { name: 'Save' })).toBeVisible()
      await expect(
        page.getByRole('region', { name: 'What this user did' }).getByRole('list'),
      ).not.toHaveCount(0)
      await complete(page)
    },
    empty: ['This user has done nothing yet.'],
  },
  'admin-roles': {
    path: '/admin/roles',
    arrived: async (page) => {
      const box = page.getByRole('checkbox', { name: 'view queue: read only' })
      const choice = page.getByRole('combobox', { name: 'Role', exact: true })
      await expect(box.or(choice).first()).toBeVisible()
    },
    empty: null,
  },
  'user-settings': {
    path: '/settings',
    arrived: async (page) => {
      await heading('Settings')(page)
      await expect(page.getByRole('region', { name: 'Sessions' }).getByRole('listitem')).not.toHaveCount(0)
    },
    empty: null,
  },
}

/** Further views of those screens: other columns, what is not there, what is deleted. */
export const views: Readonly<Record<string, View>> = {
  'webs-all-columns': {
    path: '/hosting?sets=sites,node,customer,status,categories,domain_location,comment,system&f.id=%3E:0&q=test',
    arrived: rows,
  },
  'webs-deleted': { path: '/hosting?deleted=1', arrived: heading('Deleted webs') },
  'web-missing': {
    path: '/hosting/show/999999',
    arrived: missing('There is no web 999999'),
    refused: [
      '404 /api/monitoring/webs/uptime',
      '404 /api/webs/999999',
      '404 /api/webs/999999/facts',
      '404 /api/webs/999999/tracking',
    ],
  },
  'edit-missing': {
    path: '/hosting/edit/999999',
    arrived: missing('There is no web 999999'),
    refused: ['404 /api/webs/999999'],
  },
  'tracking-consent': { path: '/hosting/tracking?sets=referrer,topics,usercentrics', arrived: rows },
  'external-domains-check': { path: '/limitis/externaldomains/list?sets=check', arrived: rows },
  'check-uptime-down': {
    path: '/monitoring/webs?f.state=any-of:down&sets=probe',
    arrived: rowsOfARound,
  },
  'uptime-table': { path: '/monitoring/webs/show/1/web.test?view=table', arrived: uptime },
  'uptime-missing': {
    path: '/monitoring/webs/show/999999/web.test',
    arrived: missing('There is no web 999999'),
    refused: ['404 /api/monitoring/webs/999999', '404 /api/monitoring/webs/uptime'],
  },
  'deployment-missing': {
    path: '/queue/999999',
    arrived: missing('There is no deployment 999999'),
    refused: ['404 /api/deployments/999999'],
  },
  'user-deleted': {
    path: '/admin/user-management/edit/7',
    arrived: missing('This user is deleted'),
  },
  'user-missing': {
    path: '/admin/user-management/edit/999999',
    arrived: missing('There is no user 999999'),
    refused: ['404 /api/users/999999'],
  },
  '404': { path: '/no/such/path', arrived: heading('404') },
}

/** As many as one test looks at: so the tests are alike in length, and their reports short. */
export const inFours = <Thing>(things: readonly Thing[]): readonly (readonly Thing[])[] =>
  things.length === 0 ? [] : [things.slice(0, 4), ...inFours(things.slice(4))]
