import type { Permission, PermissionHolder } from '@kustos/contract/permissions'
import { describe, expect, it } from 'vitest'
import { destinationsFor } from './destinations.ts'
import { search } from './search.ts'

const holder = (...held: Permission[]): PermissionHolder => ({
  roles: [{ name: 'staff' }],
  permissions: held,
})
const admin: PermissionHolder = { roles: [{ name: 'admin' }], permissions: [] }

const namesFor = (user: PermissionHolder | null) => destinationsFor(user).map(({ item }) => item.screen.name)
const found = (query: string) =>
  search(destinationsFor(admin), query, 20).items.map(({ screen }) => screen.name)

describe('screens in the palette', () => {
  it('are those the user may view', () => {
    expect(namesFor(null)).toEqual([])
    expect(namesFor(holder())).toEqual(['home', 'user-settings'])
    expect(namesFor(holder('view webs'))).toEqual([
      'home',
      'hosting-web-list',
      'hosting-tracking',
      'hosting-third-parties',
      'maintenance',
      'user-settings',
    ])
    expect(namesFor(holder('view monitoring web statistic'))).toEqual([
      'home',
      'monitoring-webs',
      'monitoring-incidents',
      'monitoring-on-call',
      'monitoring-alert-routes',
      'monitoring-events',
      'monitoring-channels',
      'maintenance',
      'user-settings',
    ])
  })

  it('have no path parameters', () => {
    expect(destinationsFor(admin).filter(({ item }) => item.screen.path.includes(':'))).toEqual([])
  })

  it.each([
    ['an English name', 'queue', 'queue'],
    ['a German name', 'warteschlange', 'queue'],
    ['a name without its umlauts', 'ubersicht', 'home'],
    ['their purpose', 'create a web', 'hosting-web-add'],
    ['a word of a longer name', 'uptime', 'monitoring-webs'],
    ['an alternative name', 'mailboxes', 'limitis-emails'],
  ])('are found by %s', (_, query, expected) => {
    expect(found(query)[0]).toBe(expected)
  })

  it.each([
    ['session', ['admin-user-management', 'user-settings']],
    ['sitzung', ['admin-user-management', 'user-settings']],
    ['category', ['hosting-web-list']],
    ['kategorie', ['hosting-web-list']],
    ['revert', ['batches', 'logs']],
    ['rückgängig', ['batches', 'logs']],
    ['acknowledge', ['home', 'monitoring-incidents']],
    ['bestätigen', ['home', 'monitoring-incidents']],
  ])('are found by what is done there: %s', (query, expected) => {
    expect(found(query)).toEqual(expected)
  })

  it('are found by their group', () => {
    expect(found('überwachung')).toEqual(
      expect.arrayContaining(['monitoring-webs', 'monitoring-incidents', 'monitoring-events']),
    )
  })
})
