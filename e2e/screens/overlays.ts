import type { Page } from '@playwright/test'
import type { ScreenName } from '../../apps/web/src/app/screens.ts'
import { expect } from '../harness/test.ts'

/** A menu, dialog or drawer that opens over a screen. */
interface Overlay {
  readonly name: string
  readonly open: (page: Page) => Promise<void>
  /** Closes the overlay; Escape by default. */
  readonly close?: (page: Page) => Promise<void>
  /** A selector of the overlay if it is neither a dialog nor a menu. */
  readonly within?: string
  /** Whether it exists only on narrow screens. */
  readonly narrowOnly?: true
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const dialog = (page: Page) => page.getByRole('dialog')
const firstMenu = async (page: Page) => {
  await button(page, /^Actions: /)
    .first()
    .click()
  await expect(page.getByRole('menu')).toBeVisible()
}
const choose = async (page: Page, action: string) => {
  await firstMenu(page)
  await page.getByRole('menuitem', { name: action, exact: true }).click()
  await expect(dialog(page)).toBeVisible()
}
const palette = (page: Page) => page.getByRole('combobox', { name: 'Search webs, screens and actions' })

const openDialog = async (page: Page, name: string) => {
  await button(page, name).click()
  await expect(dialog(page)).toBeVisible()
}
/** Open incidents are first. */
const openOfFirstIncident = async (page: Page, action: string) => {
  await page.getByRole('grid').getByRole('link').first().click()
  await choose(page, action)
}
const closeAndGoBack = async (page: Page) => {
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
  await page.goBack()
}

const listOverlays: readonly Overlay[] = [
  {
    name: 'columns-menu',
    open: async (page) => {
      await button(page, 'Columns').click()
      await expect(page.getByRole('menu')).toBeVisible()
    },
  },
  {
    name: 'filter',
    open: async (page) => {
      await button(page, 'Filter FQDN').click()
      await expect(dialog(page)).toBeVisible()
    },
  },
  {
    name: 'view-menu',
    open: async (page) => {
      await button(page, /^View: /).click()
      await expect(page.getByRole('menu')).toBeVisible()
    },
  },
  {
    name: 'save-view',
    open: async (page) => {
      await button(page, /^View: /).click()
      await page.getByRole('menuitem', { name: 'Save as new view' }).click()
      await expect(dialog(page)).toBeVisible()
    },
  },
  { name: 'row-menu', open: firstMenu },
  {
    name: 'bulk-menu',
    open: async (page) => {
      await page.getByRole('grid').getByRole('checkbox').nth(1).check()
      await page.getByRole('toolbar').getByRole('button', { name: 'More' }).click()
      await expect(page.getByRole('menu')).toBeVisible()
    },
    close: async (page) => {
      await page.keyboard.press('Escape')
      await button(page, 'Clear selection').click()
    },
  },
  { name: 'confirm-delete', open: (page) => choose(page, 'Delete') },
  { name: 'confirm-re-scan', open: (page) => choose(page, 'Re-scan') },
  {
    name: 'palette',
    open: async (page) => {
      await button(page, 'Search or jump to…').click()
      await expect(palette(page)).toBeFocused()
      await expect(page.getByRole('group', { name: 'Screens' })).toBeVisible()
    },
  },
  {
    name: 'palette-web',
    open: async (page) => {
      await button(page, 'Search or jump to…').click()
      await palette(page).fill('.test')
      await expect(page.getByRole('group', { name: 'Webs' })).toBeVisible()
      await page.keyboard.press('Enter')
      await expect(page.getByRole('option', { name: 'Show web' })).toBeVisible()
    },
  },
  {
    name: 'user-menu',
    open: async (page) => {
      await button(page, /^User menu/).click()
      await expect(page.getByRole('menuitem', { name: 'Logout' })).toBeVisible()
    },
  },
  {
    name: 'sidebar',
    narrowOnly: true,
    open: async (page) => {
      await button(page, 'Open sidebar').click()
      await expect(dialog(page).getByRole('navigation')).toBeVisible()
    },
  },
]

/** What opens over each screen that has something of its own, by the screen's name. */
export const overlays: Readonly<Partial<Record<ScreenName, readonly Overlay[]>>> = {
  home: [
    { name: 'attention-menu', open: firstMenu },
    { name: 'attention-note', open: (page) => choose(page, 'Acknowledge with a note…') },
    { name: 'attention-assign', open: (page) => choose(page, 'Assign…') },
    { name: 'attention-snooze', open: (page) => choose(page, 'Snooze…') },
  ],
  'hosting-web-list': listOverlays,
  nodes: [
    {
      name: 'node-edit',
      open: async (page) => {
        await choose(page, 'Edit')
        await dialog(page).getByRole('textbox', { name: 'Panel', exact: true }).fill('')
        await button(page, 'Save').click()
        await expect(page.getByText('Panel is required')).toBeVisible()
      },
      close: async (page) => {
        await page.keyboard.press('Escape')
        await button(page, 'Leave').click()
      },
    },
  ],
  customers: [
    {
      name: 'customer-add',
      open: async (page) => {
        await button(page, 'Add customer').click()
        await button(page, 'Add contact').click()
        await dialog(page).getByRole('textbox', { name: 'E-Mail', exact: true }).fill('anna@example.com')
        await dialog(page).getByRole('button', { name: 'Add customer' }).click()
        await expect(page.getByText('Name is required')).toBeVisible()
      },
      close: async (page) => {
        await page.keyboard.press('Escape')
        await button(page, 'Leave').click()
      },
    },
    {
      name: 'customer-merge',
      open: async (page) => {
        await choose(page, 'Merge…')
        await expect(dialog(page).getByText('What changes')).toBeVisible()
      },
    },
  ],
  'customers-show': [
    {
      name: 'tracking-contract',
      open: (page) => openDialog(page, 'Edit contract'),
    },
  ],
  'hosting-tracking-show': [
    { name: 'tracking-contract-of-web', open: (page) => openDialog(page, 'Edit for this web') },
  ],
  tags: [
    {
      name: 'tag-edit',
      open: async (page) => {
        await choose(page, 'Edit')
        await dialog(page).getByRole('textbox', { name: 'Name', exact: true }).fill('two words')
        await button(page, 'Save').click()
        await expect(page.getByText(/^A tag has letters/)).toBeVisible()
      },
      close: async (page) => {
        await page.keyboard.press('Escape')
        await button(page, 'Leave').click()
      },
    },
    { name: 'tag-check', open: (page) => choose(page, 'Edit check') },
    { name: 'tag-merge', open: (page) => choose(page, 'Merge…') },
    { name: 'tag-delete', open: (page) => choose(page, 'Delete') },
  ],
  'hosting-third-parties': [
    { name: 'third-party-classify', open: (page) => choose(page, 'Classify…') },
    { name: 'tracking-policy', open: (page) => openDialog(page, 'Consent policy') },
  ],
  'monitoring-incidents': [
    {
      name: 'incident-acknowledge',
      open: async (page) => openOfFirstIncident(page, 'Acknowledge with a note…'),
      close: closeAndGoBack,
    },
    {
      name: 'incident-assign',
      open: async (page) => {
        await openOfFirstIncident(page, 'Assign…')
        await dialog(page).getByRole('button', { name: 'Assign' }).click()
        await expect(dialog(page).locator('[aria-invalid=true]')).toBeVisible()
      },
      close: closeAndGoBack,
    },
    {
      name: 'incident-snooze',
      open: async (page) => openOfFirstIncident(page, 'Snooze…'),
      close: closeAndGoBack,
    },
  ],
  'monitoring-incidents-show': [
    { name: 'incident-post-mortem', open: (page) => openDialog(page, 'Write: Post-mortem') },
    { name: 'incident-deployment', open: (page) => openDialog(page, 'Link deployment') },
  ],
  'monitoring-on-call': [
    { name: 'rota-edit', open: (page) => openDialog(page, 'Edit rota: Nacht und Wochenende') },
    { name: 'rota-override', open: (page) => openDialog(page, 'Override…: Nacht und Wochenende') },
  ],
  'monitoring-alert-routes': [
    { name: 'alert-route-edit', open: (page) => openDialog(page, 'Edit: Gold außerhalb der Bürozeiten') },
  ],
  'monitoring-channels': [
    {
      name: 'channel-add',
      open: async (page) => {
        await button(page, 'Add channel').click()
        await expect(dialog(page).getByLabel('E-mail address')).toBeVisible()
      },
    },
    { name: 'channel-edit', open: (page) => choose(page, 'Edit') },
    { name: 'channel-delete', open: (page) => choose(page, 'Delete') },
  ],
  maintenance: [
    {
      name: 'maintenance-plan',
      open: async (page) => {
        await button(page, 'Plan maintenance').click()
        await dialog(page).getByText('weekly', { exact: true }).click()
        await dialog(page).getByRole('button', { name: 'Plan maintenance' }).click()
        await expect(page.getByText('Reason is required')).toBeVisible()
      },
      close: async (page) => {
        await page.keyboard.press('Escape')
        await button(page, 'Leave').click()
      },
    },
    { name: 'maintenance-edit', open: (page) => choose(page, 'Edit') },
    { name: 'maintenance-delete', open: (page) => choose(page, 'Delete') },
  ],
  'limitis-externaldomains': [
    {
      name: 'domain-edit',
      open: async (page) => {
        await choose(page, 'Edit')
        await dialog(page).getByRole('combobox', { name: 'Customer' }).fill('')
        await button(page, 'Save').click()
        await expect(page.getByText('Customer is required')).toBeVisible()
      },
      close: async (page) => {
        await page.keyboard.press('Escape')
        await button(page, 'Leave').click()
      },
    },
  ],
  logs: [
    {
      name: 'log-entry',
      open: async (page) => {
        await choose(page, 'Show entry')
        await expect(page.getByRole('heading', { name: 'Changes' })).toBeVisible()
      },
    },
  ],
  'admin-user-management': [
    {
      name: 'user-delete',
      open: async (page) => {
        await button(page, 'Actions: read-only@kustos.test').click()
        await page.getByRole('menuitem', { name: 'Delete' }).click()
        await expect(dialog(page)).toBeVisible()
      },
    },
  ],
  'admin-roles': [
    {
      name: 'role-add',
      open: async (page) => {
        await button(page, 'Create').click()
        await dialog(page).getByRole('button', { name: 'Create', exact: true }).click()
        await expect(page.getByText('Name is required')).toBeVisible()
      },
    },
    {
      name: 'role-menu',
      open: async (page) => {
        await button(page, /^Actions: /)
          .last()
          .click()
        await expect(page.getByRole('menuitem', { name: 'Rename' })).toBeVisible()
      },
    },
  ],
  'admin-user-management-add': [
    {
      name: 'unsaved',
      open: async (page) => {
        await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Ada')
        await page.getByRole('link', { name: 'Back to list' }).click()
        await expect(dialog(page)).toBeVisible()
      },
    },
  ],
}
