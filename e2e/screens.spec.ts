import { fileURLToPath } from 'node:url'
import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { administrator, type Person, people } from './harness/people.ts'
import { sessionOf } from './harness/system.ts'
import { expect, test } from './harness/test.ts'

interface Screen {
  readonly name: string
  readonly path: string
  /** Says that the screen stands there complete. */
  readonly arrived: (page: Page) => Promise<void>
}

const heading = (name: string | RegExp) => async (page: Page) => {
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
}
const row = (page: Page) => page.getByRole('grid').getByRole('rowheader').first()

const dashboard: Screen = {
  name: 'dashboard',
  path: '/',
  arrived: async (page) => {
    await heading('Dashboard')(page)
    await expect(page.getByText('Inactive')).toBeVisible()
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  },
}
const everybodys: readonly Screen[] = [
  dashboard,
  { name: 'webs', path: '/hosting', arrived: async (page) => expect(row(page)).toBeVisible() },
  {
    name: 'webs-all-columns',
    path: '/hosting?sets=sites,node,customer,status,categories,domain_location,comment,system&f.id=%3E:0&q=test',
    arrived: async (page) => expect(row(page)).toBeVisible(),
  },
  {
    name: 'web',
    path: '/hosting/show/1',
    arrived: async (page) => {
      await expect(
        page.getByRole('region', { name: 'Last seen' }).getByRole('definition').first(),
      ).toBeVisible()
      await expect(page.locator('.mantine-Skeleton-root')).toHaveCount(0)
    },
  },
  { name: 'settings', path: '/settings', arrived: heading('Settings') },
  { name: '404', path: '/no/such/path', arrived: heading('404') },
]
const deleted: Screen = { name: 'webs-deleted', path: '/hosting?deleted=1', arrived: heading('Deleted webs') }
const add: Screen = { name: 'add', path: '/hosting/add', arrived: heading('Add a web') }
const edit: Screen = {
  name: 'edit',
  path: '/hosting/edit/1',
  arrived: async (page) => {
    await heading(/^Web 1: /)(page)
    await expect(page.getByRole('button', { name: 'Save' })).toBeVisible()
  },
}
const webMissing: Screen = {
  name: 'web-missing',
  path: '/hosting/show/999999',
  arrived: async (page) => expect(page.getByText('There is no web 999999')).toBeVisible(),
}
const missing: Screen = {
  name: 'edit-missing',
  path: '/hosting/edit/999999',
  arrived: async (page) => expect(page.getByText('There is no web 999999')).toBeVisible(),
}

const repositories: Screen = {
  name: 'bitbucket',
  path: '/hosting/bitbucket',
  arrived: async (page) => expect(row(page)).toBeVisible(),
}
const requests: readonly Screen[] = [
  { name: 'newweb', path: '/deployment/newweb', arrived: heading('New web') },
  { name: 'forkweb', path: '/deployment/forkweb', arrived: heading('Fork web') },
  { name: 'trial-day', path: '/deployment/newschnuppertagweb', arrived: heading(/^Trial/) },
]
const queue: readonly Screen[] = [
  { name: 'queue', path: '/queue', arrived: heading('Queue') },
  {
    name: 'deployment-missing',
    path: '/queue/999999',
    arrived: async (page) => expect(page.getByText('There is no deployment 999999')).toBeVisible(),
  },
]

/** Until a round has been judged, the header says of a web what it does not know yet. */
const aRound = { timeout: 45_000 }
const uptime = async (page: Page) => {
  await heading('Daily uptime')(page)
  await expect(page.getByRole('definition').first()).toBeVisible()
  await expect(page.locator('[aria-busy=true], .mantine-Skeleton-root')).toHaveCount(0)
}
const watching: readonly Screen[] = [
  {
    name: 'check-uptime',
    path: '/monitoring/webs',
    arrived: async (page) => {
      await expect(row(page)).toBeVisible()
      await expect(page.getByText(/webs are watched/)).toBeVisible()
    },
  },
  {
    name: 'events',
    path: '/monitoring/events',
    arrived: async (page) => expect(row(page)).toBeVisible(aRound),
  },
  { name: 'uptime', path: '/monitoring/webs/show/1/web.test', arrived: uptime },
]
const moreWatching: readonly Screen[] = [
  {
    name: 'check-uptime-down',
    path: '/monitoring/webs?f.state=any-of:down&sets=probe',
    arrived: async (page) => expect(row(page)).toBeVisible(aRound),
  },
  { name: 'uptime-table', path: '/monitoring/webs/show/1/web.test?view=table', arrived: uptime },
  {
    name: 'uptime-missing',
    path: '/monitoring/webs/show/999999/web.test',
    arrived: async (page) => expect(page.getByText('There is no web 999999')).toBeVisible(),
  },
]

const domains: readonly Screen[] = [
  ...(
    [
      ['all-domains', '/limitis/alldomains'],
      ['external-domains', '/limitis/externaldomains/list?sets=check'],
      ['own-domains', '/limitis/limitisdomains'],
      ['emails', '/limitis/emails'],
    ] as const
  ).map(([name, path]) => ({
    name,
    path,
    arrived: async (page: Page) => expect(row(page)).toBeVisible(),
  })),
  {
    name: 'domains-add',
    path: '/limitis/externaldomains/add',
    arrived: async (page) => {
      const lines = [
        'https://wrong.test/',
        'walk-neu.test',
        'WALK-NEU.test',
        'two words',
        `${'x'.repeat(90)}.test`,
      ]
      await page.getByRole('textbox', { name: 'FQDNs' }).fill(lines.join('\n'))
      await page.getByRole('button', { name: 'Add one domain' }).click()
      await expect(page.getByText('Domain provider is required')).toBeVisible()
    },
  },
]

const tracking: readonly Screen[] = [
  { name: 'tracking', path: '/hosting/tracking', arrived: async (page) => expect(row(page)).toBeVisible() },
  {
    name: 'tracking-consent',
    path: '/hosting/tracking?sets=referrer,topics,usercentrics',
    arrived: async (page) => expect(row(page)).toBeVisible(),
  },
  {
    name: 'tracking-page',
    path: '/hosting/tracking/1',
    arrived: async (page) => {
      await heading('Tracking')(page)
      await expect(page.locator('.mantine-Skeleton-root')).toHaveCount(0)
      const first = page.locator('summary').first()
      if (await first.isVisible()) await first.click()
    },
  },
]

const administration: readonly Screen[] = [
  { name: 'users', path: '/admin/user-management', arrived: async (page) => expect(row(page)).toBeVisible() },
  {
    name: 'user-add',
    path: '/admin/user-management/add',
    arrived: async (page) => {
      await page.getByRole('button', { name: 'Create', exact: true }).click()
      await expect(page.getByText('Name is required')).toBeVisible()
    },
  },
  {
    name: 'user-edit',
    path: '/admin/user-management/edit/2',
    arrived: async (page) => {
      await expect(page.getByRole('button', { name: 'Save' })).toBeVisible()
      await expect(
        page.getByRole('region', { name: 'What this user did' }).getByRole('list'),
      ).not.toHaveCount(0)
    },
  },
  {
    name: 'user-deleted',
    path: '/admin/user-management/edit/7',
    arrived: async (page) => expect(page.getByText('This user is deleted')).toBeVisible(),
  },
  {
    name: 'user-missing',
    path: '/admin/user-management/edit/999999',
    arrived: async (page) => expect(page.getByText('There is no user 999999')).toBeVisible(),
  },
  {
    name: 'roles',
    path: '/admin/roles',
    arrived: async (page) => {
      const choice = page.getByRole('combobox', { name: 'Role', exact: true })
      const box = page.getByRole('checkbox', { name: 'view queue: read only' })
      await expect(box.or(choice).first()).toBeVisible()
      if (await choice.isVisible()) {
        await choice.click()
        await page.getByRole('option', { name: 'read only' }).click()
      }
      await box.check()
    },
  },
  {
    name: 'logs',
    path: '/logs',
    arrived: async (page) => {
      await expect(row(page)).toBeVisible()
      const opener = page.getByRole('button', { name: 'What of the log is read' })
      if (await opener.isVisible()) await opener.click()
      await expect(page.getByRole('combobox', { name: 'Causer' })).toBeVisible()
    },
  },
  {
    name: 'log-entry',
    path: '/logs?log=webs',
    arrived: async (page) => {
      await page
        .getByRole('button', { name: /^Actions: / })
        .first()
        .click()
      await page.getByRole('menuitem', { name: 'Show the whole entry' }).click()
      await expect(page.getByRole('heading', { name: 'What was, and what is' })).toBeVisible()
    },
  },
]

/** What each kind of user may see. */
const screensOf: Readonly<Record<string, readonly Screen[]>> = {
  admin: [
    ...everybodys,
    deleted,
    add,
    edit,
    missing,
    webMissing,
    repositories,
    ...tracking,
    ...requests,
    ...domains,
    ...watching,
    ...moreWatching,
    ...queue,
    ...administration,
  ],
  hosting: [...everybodys, deleted, add, edit],
  'project management': [...everybodys, add, edit],
  monitoring: [...everybodys, ...watching, ...queue],
  'read only': everybodys,
}

const schemes = ['light', 'dark'] as const
const widths = [1440, 390] as const

for (const colorScheme of schemes) {
  for (const width of widths) {
    test.describe(`${width} px, ${colorScheme}`, () => {
      test.use({ colorScheme, viewport: { width, height: width < 500 ? 844 : 900 } })

      test('the login screen', async ({ page }) => {
        await page.goto('/')
        await expect(page.getByRole('button', { name: 'Login' })).toBeVisible()
        await look(page, `login-${colorScheme}-${width}`)
        await page.getByLabel('E-Mail').fill('nobody')
        await page.getByLabel('Password', { exact: true }).focus()
        await expect(page.getByText('E-Mail must be valid')).toBeVisible()
        await look(page, `login-invalid-${colorScheme}-${width}`)
      })

      // The others see what the administrator sees, or less: once wide and light, once narrow and dark.
      const isWalkedByAll = (width === 1440) === (colorScheme === 'light')
      for (const person of isWalkedByAll ? [administrator, ...people] : [administrator]) {
        test.describe(person.role, () => {
          test.use({ storageState: async ({ storageState: _ }, use) => use(sessionOf(person)) })

          test('every screen is accessible, quiet and as wide as the window', async ({ page }) => {
            test.setTimeout(180_000)
            for (const screen of screensOf[person.role] ?? []) {
              await test.step(screen.name, async () => {
                await page.goto(screen.path)
                await screen.arrived(page)
                await look(page, `${screen.name}-${fileName(person)}-${colorScheme}-${width}`)
              })
            }
          })
        })
      }

      test.describe('what opens over a screen', () => {
        test.use({ storageState: async ({ storageState: _ }, use) => use(sessionOf(administrator)) })

        test('menus, filters and dialogs are accessible', async ({ page }) => {
          test.setTimeout(180_000)
          const shot = (name: string) => look(page, `${name}-${colorScheme}-${width}`)
          await page.goto('/hosting')
          await expect(row(page)).toBeVisible()
          await page.getByRole('button', { name: 'Columns' }).click()
          await expect(page.getByRole('menu')).toBeVisible()
          await shot('columns-menu')
          await page.keyboard.press('Escape')
          await page.getByRole('button', { name: 'Filter FQDN' }).click()
          await expect(page.getByRole('dialog')).toBeVisible()
          await shot('filter')
          await page.keyboard.press('Escape')
          await page
            .getByRole('button', { name: /^Actions: / })
            .first()
            .click()
          await expect(page.getByRole('menu')).toBeVisible()
          await shot('row-menu')
          await page.getByRole('menuitem', { name: 'Delete' }).click()
          await expect(page.getByRole('dialog')).toBeVisible()
          await shot('confirmation')
          await page.keyboard.press('Escape')
          await page.getByRole('button', { name: 'Search or jump to…' }).click()
          const palette = page.getByRole('combobox', { name: 'Search webs, screens and actions' })
          await expect(palette).toBeFocused()
          await shot('palette')
          await palette.fill('test')
          await expect(page.getByRole('group', { name: 'Webs' })).toBeVisible()
          await shot('palette-found')
          await page.keyboard.press('Enter')
          await expect(page.getByRole('option', { name: 'Show web' })).toBeVisible()
          await shot('palette-web')
          await page.keyboard.press('Escape')
          await page.getByRole('button', { name: /^User menu/ }).click()
          await expect(page.getByRole('menuitem', { name: 'Logout' })).toBeVisible()
          await shot('user-menu')
          await page.keyboard.press('Escape')
          await page.goto('/hosting/add')
          await page.getByRole('button', { name: 'Create', exact: true }).click()
          await expect(page.getByText('Customer is required')).toBeVisible()
          await shot('add-invalid')
          await page.goto('/limitis/externaldomains/list')
          await page
            .getByRole('button', { name: /^Actions: / })
            .first()
            .click()
          await page.getByRole('menuitem', { name: 'Edit' }).click()
          await page.getByRole('dialog').getByRole('textbox', { name: 'Customer' }).fill('')
          await page.getByRole('button', { name: 'Save' }).click()
          await expect(page.getByText('Customer is required')).toBeVisible()
          await shot('domain-edit')
          await page.keyboard.press('Escape')
          await page.getByRole('button', { name: 'Leave' }).click()
          await page.goto('/admin/roles')
          await page.getByRole('button', { name: 'Create', exact: true }).click()
          await page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }).click()
          await expect(page.getByText('Name is required')).toBeVisible()
          await shot('role-add')
          await page.keyboard.press('Escape')
          await page
            .getByRole('button', { name: /^Actions: / })
            .last()
            .click()
          await expect(page.getByRole('menuitem', { name: 'Rename' })).toBeVisible()
          await shot('role-menu')
          await page.keyboard.press('Escape')
          if (width < 500) {
            await page.getByRole('button', { name: 'Open the sidebar' }).click()
            await expect(page.getByRole('dialog').getByRole('navigation')).toBeVisible()
            await shot('sidebar')
          }
        })
      })
    })
  }
}

test.describe('very long values', () => {
  test.use({
    storageState: async ({ storageState: _ }, use) => use(sessionOf(administrator)),
    viewport: { width: 390, height: 844 },
  })

  test('stay inside the page', async ({ page, inventory }) => {
    const label = 'x'.repeat(60)
    const web = await inventory.add({
      fqdn: `${crypto.randomUUID()}.${label}.${label}.${label}.test`,
      customer: 'Ä'.repeat(255),
      comment: 'Überlänge'.repeat(222),
    })
    await page.goto(`/hosting?q=${web.fqdn}&sets=customer,comment`)
    await expect(row(page)).toBeVisible()
    await look(page, 'long-list')
    await page.goto(`/hosting/show/${web.id}`)
    await expect(page.getByRole('region', { name: 'Facts' })).toContainText('Überlänge')
    await expect(page.locator('.mantine-Skeleton-root')).toHaveCount(0)
    await look(page, 'long-web')
    await page.getByRole('button', { name: 'Search or jump to…' }).click()
    await page.getByRole('combobox', { name: 'Search webs' }).fill(web.fqdn)
    await expect(page.getByRole('option').first()).toContainText(web.fqdn)
    await page.keyboard.press('Enter')
    await look(page, 'long-palette')
    await page.keyboard.press('Escape')
    await page.goto(`/hosting/edit/${web.id}`)
    await expect(page.getByRole('button', { name: 'Save' })).toBeVisible()
    await look(page, 'long-edit')
    await page.goto(`/monitoring/webs/show/${web.id}/${web.fqdn}`)
    await expect(page.getByRole('main')).toContainText(web.fqdn)
    await expect(page.getByText('Nothing is known yet')).toBeVisible()
    await look(page, 'long-uptime')
  })
})

const pictures = fileURLToPath(new URL('../test-results/screens', import.meta.url))

const fileName = ({ role }: Person) => role.replaceAll(' ', '-')

/** A screenshot for human eyes, and what a machine can tell of the screen. */
async function look(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: `${pictures}/${name}.png`, fullPage: true, animations: 'disabled' })
  // Legacy mode spares a new page for each run; it would matter for frames of other origins, and there are none.
  const axe = new AxeBuilder({ page }).setLegacyMode(true)
  // Row after row is alike, and axe takes seconds for a hundred.
  axe.exclude('[role=row][data-row]:nth-child(n + 6)')
  const { violations } = await axe.analyze()
  const found = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => {
      const [, ...reasons] = failureSummary.split('\n')
      return `${id}: ${help}: ${target.join(' ')}: ${reasons.map((reason) => reason.trim()).join('; ')}`
    }),
  )
  expect.soft(found, `axe on ${name}`).toEqual([])
  const sideways = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return scrollWidth - clientWidth
  })
  expect.soft(sideways, `pixels that ${name} scrolls sideways`).toBeLessThanOrEqual(0)
}
