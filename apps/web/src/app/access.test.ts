import { type Holder, type Permission, permissions } from '@kustos/contract/permissions'
import { describe, expect, it } from 'vitest'
import { dashboardEntries, detour, offeredChildren, sidebarEntries } from './access.ts'
import { type Entry, entries, isGroup } from './screens.ts'

const names = (entries: readonly Entry[]) => entries.map(({ name }) => name)
const holder = (...held: Permission[]): Holder => ({ roles: [{ name: 'staff' }], permissions: held })
const admin: Holder = { roles: [{ name: 'admin' }], permissions: [] }

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
const repositories = screen('hosting-bitbucket')
const tracking = screen('hosting-tracking')

describe('what a user is offered', () => {
  it('is everything for an admin', () => {
    expect(names(sidebarEntries(admin))).toEqual([
      'home',
      'hosting',
      'deployment',
      'limitis',
      'monitoring',
      'queue',
      'logs',
      'admin',
    ])
    expect(offeredChildren(hosting, admin)).toEqual([list, add, repositories, tracking])
    expect(names(dashboardEntries(admin))).toEqual([
      'hosting',
      'deployment',
      'limitis',
      'monitoring',
      'queue',
      'logs',
      'admin',
    ])
  })

  it('follows the permissions of the children', () => {
    expect(offeredChildren(hosting, holder('view webs'))).toEqual([list, tracking])
    expect(offeredChildren(hosting, holder('create webs'))).toEqual([add])
  })

  it('leaves out a group that has nothing to offer', () => {
    for (const user of [holder(), holder('edit webs')]) {
      expect(names(sidebarEntries(user))).toEqual(['home'])
      expect(dashboardEntries(user)).toEqual([])
    }
  })

  it('has requests for a web for those alone who hold both permissions', () => {
    expect(names(sidebarEntries(holder('create webs')))).not.toContain('deployment')
    expect(names(sidebarEntries(holder('view bitbucket')))).toEqual(['home', 'hosting'])
    expect(names(sidebarEntries(holder('create webs', 'view bitbucket')))).toContain('deployment')
    expect(names(sidebarEntries(holder('view queue')))).toEqual(['home', 'queue'])
  })

  it('has monitoring for those who may see it', () => {
    expect(names(sidebarEntries(holder('view monitoring web statistic')))).toEqual(['home', 'monitoring'])
  })

  it('has log and administration for those who may see them', () => {
    expect(names(sidebarEntries(holder('view logs')))).toEqual(['home', 'logs'])
    expect(names(dashboardEntries(holder('view admin panel')))).toEqual(['admin'])
  })

  it('is nothing for a visitor', () => {
    expect(sidebarEntries(null)).toEqual([])
  })
})

describe('where a user goes who asks for a screen', () => {
  it.each([
    ['the list with its permission', list, holder('view webs'), null],
    ['the list as an admin', list, admin, null],
    ['the bare path without the list', list, holder('create webs'), '/hosting/add'],
    ['the bare path with the repositories alone', list, holder('view bitbucket'), '/hosting/bitbucket'],
    ['the bare path without any child', list, holder('edit webs'), '/'],
    ['adding without the permission', add, holder('view webs'), '/'],
    ['editing without the permission', edit, holder('view webs', 'create webs'), '/'],
    ['editing with the permission', edit, holder('edit webs'), null],
    ['anything without a permission', list, holder(), '/'],
  ])('%s', (_, wanted, user, expected) => {
    expect(detour(wanted, hosting, user)).toBe(expected)
  })
})

it('every path stands once, and every permission asked for exists', () => {
  const screens = entries.flatMap((entry) => (isGroup(entry) ? entry.children : [entry]))
  const paths = screens.flatMap(({ path, aliases = [] }) => [path, ...aliases])
  expect(new Set(paths).size).toBe(paths.length)
  const asked = [...entries, ...screens].flatMap(({ access }) =>
    typeof access === 'string' ? [] : 'all' in access ? access.all : access.any,
  )
  for (const permission of asked) expect(permissions).toContain(permission)
})
