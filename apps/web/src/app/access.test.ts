import { type Permission, type PermissionHolder, permissions } from '@kustos/contract/permissions'
import { describe, expect, it } from 'vitest'
import { dashboardEntries, offeredChildren, redirectFor, sidebarEntries } from './access.ts'
import { type Entry, entries, isGroup, screens as table } from './screens.ts'

const names = (entries: readonly Entry[]) => entries.map(({ name }) => name)
const holder = (...held: Permission[]): PermissionHolder => ({
  roles: [{ name: 'staff' }],
  permissions: held,
})
const admin: PermissionHolder = { roles: [{ name: 'admin' }], permissions: [] }

const hosting = entries.find((entry) => entry.name === 'hosting')
if (hosting === undefined || !isGroup(hosting)) throw new Error('hosting is a group')
const screen = (name: string) => {
  const found = hosting.children.find((child) => child.name === name)
  if (found === undefined) throw new Error(`hosting has no ${name}`)
  return found
}
const list = screen('hosting-web-list')
const add = screen('hosting-web-add')
const edit = screen('hosting-web-edit')
const nodes = screen('nodes')
const customers = screen('customers')
const tags = screen('tags')
const repositories = screen('hosting-bitbucket')
const tracking = screen('hosting-tracking')
const thirdParties = screen('hosting-third-parties')

describe('visible navigation', () => {
  it('is complete for an admin', () => {
    expect(names(sidebarEntries(admin))).toEqual([
      'home',
      'hosting',
      'deployment',
      'limitis',
      'monitoring',
      'maintenance',
      'queue',
      'batches',
      'logs',
      'admin',
    ])
    expect(offeredChildren(hosting, admin)).toEqual([
      list,
      add,
      nodes,
      customers,
      tags,
      repositories,
      tracking,
      thirdParties,
    ])
    expect(names(dashboardEntries(admin))).toEqual([
      'hosting',
      'deployment',
      'limitis',
      'monitoring',
      'maintenance',
      'queue',
      'batches',
      'logs',
      'admin',
    ])
  })

  it('follows the permissions of the children', () => {
    expect(offeredChildren(hosting, holder('view webs'))).toEqual([list, tracking, thirdParties])
    expect(offeredChildren(hosting, holder('create webs'))).toEqual([add])
  })

  it('leaves out empty groups', () => {
    expect(names(sidebarEntries(holder()))).toEqual(['home'])
    expect(dashboardEntries(holder())).toEqual([])
    expect(names(sidebarEntries(holder('edit webs')))).toEqual(['home', 'batches'])
  })

  it('has website requests for users with both permissions', () => {
    expect(names(sidebarEntries(holder('create webs')))).not.toContain('deployment')
    expect(names(sidebarEntries(holder('view bitbucket')))).toEqual(['home', 'hosting'])
    expect(names(sidebarEntries(holder('create webs', 'view bitbucket')))).toContain('deployment')
    expect(names(sidebarEntries(holder('view queue')))).toEqual(['home', 'queue', 'batches'])
  })

  it('has monitoring for users who may view it', () => {
    expect(names(sidebarEntries(holder('view monitoring web statistic')))).toEqual([
      'home',
      'monitoring',
      'maintenance',
    ])
  })

  it('has log and administration for users who may view them', () => {
    expect(names(sidebarEntries(holder('view logs')))).toEqual(['home', 'logs'])
    expect(names(dashboardEntries(holder('view admin panel')))).toEqual(['admin'])
  })

  it('is empty for a visitor', () => {
    expect(sidebarEntries(null)).toEqual([])
  })
})

describe('redirectFor', () => {
  it.each([
    ['the list, with its permission', list, holder('view webs'), null],
    ['the list, as an admin', list, admin, null],
    ["the group's path, without the list", list, holder('create webs'), '/hosting/add'],
    ["the group's path, with only the repositories", list, holder('view bitbucket'), '/hosting/bitbucket'],
    ["the group's path, without any child", list, holder('edit webs'), '/'],
    ['the form to add, without its permission', add, holder('view webs'), '/'],
    ['the form to edit, without its permission', edit, holder('view webs', 'create webs'), '/'],
    ['the form to edit, with its permission', edit, holder('edit webs'), null],
    ['the list, without any permission', list, holder(), '/'],
  ])('resolves %s', (_, requested, user, expected) => {
    expect(redirectFor(requested, hosting, user)).toBe(expected)
  })
})

it.each([
  // Linked from the page of a web that has the domain, and from what needs attention.
  ['domains-show', 'view webs'],
  ['domains-show', 'view external domains'],
  ['domains-show', 'view limitis domains'],
  ['limitis-externaldomains-add', 'create external domains'],
  ['monitoring-channels', 'edit alert channels'],
  ['monitoring-channels', 'view monitoring web statistic'],
] as const)('opens %s with only "%s"', (name, permission) => {
  const found = table.find(({ screen }) => screen.name === name)
  if (found === undefined) throw new Error(`${name} is not in the table`)
  expect(redirectFor(found.screen, found.group, holder(permission))).toBeNull()
})

it('offers the alert channels, and nothing else of monitoring, to users who may only edit them', () => {
  const user = holder('edit alert channels')
  const monitoring = sidebarEntries(user).find(({ name }) => name === 'monitoring')
  expect(monitoring && isGroup(monitoring) && names(offeredChildren(monitoring, user))).toEqual([
    'monitoring-channels',
  ])
})

it('lists every path once with existing permissions', () => {
  const screens = entries.flatMap((entry) => (isGroup(entry) ? entry.children : [entry]))
  const paths = screens.flatMap(({ path, aliases = [] }) => [path, ...aliases])
  expect(new Set(paths).size).toBe(paths.length)
  const required = [...entries, ...screens].flatMap(({ access }) =>
    typeof access === 'string' ? [] : 'all' in access ? access.all : access.any,
  )
  for (const permission of required) expect(permissions).toContain(permission)
})
