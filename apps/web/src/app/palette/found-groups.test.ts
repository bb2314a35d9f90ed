import type { Found } from '@kustos/contract/search'
import type { TFunction } from 'i18next'
import { describe, expect, it } from 'vitest'
import { foundGroups } from './found-groups.ts'

const t = ((key: string) => key) as TFunction

const found = {
  node: { kind: 'node', id: '1', label: 'n 1', hint: 'panel.test' },
  user: { kind: 'user', id: '2', label: 'Eva', hint: 'eva@kustos.test' },
  domain: { kind: 'domain', id: 'own-3', label: 'bäckerei.test', hint: 'ALPEN' },
  mailbox: { kind: 'mailbox', id: '4', label: 'info+a@alpen.test', hint: 'ALPEN' },
  deployment: { kind: 'deployment', id: '5', label: 'alpen.test', hint: 'updateWeb' },
  batch: { kind: 'batch', id: '6', label: 'edit', hint: 'eva@kustos.test' },
  view: { kind: 'view', id: '7', label: 'Down', hint: 'webs' },
} as const satisfies Record<string, Found>

function present(entry: Found) {
  const paths: string[] = []
  const [group] = foundGroups([entry], '', t, (path) => paths.push(path))
  const [shown] = group?.entries ?? []
  shown?.onSelect()
  return [shown?.label, shown?.hint, ...paths]
}
const ranksFor = (query: string) => {
  const groups = foundGroups(Object.values(found), query, t, () => undefined)
  return groups.filter(({ best }) => best === 0).map(({ key }) => key)
}

describe('what the server finds', () => {
  it.each([
    [found.node, ['n 1', 'panel.test', '/nodes/n%201']],
    [found.user, ['Eva', 'eva@kustos.test', '/admin/user-management/edit/2']],
    [found.domain, ['bäckerei.test', 'ALPEN', '/domains/b%C3%A4ckerei.test']],
    [found.mailbox, ['info+a@alpen.test', 'ALPEN', '/limitis/emails?q=info%2Ba%40alpen.test']],
    [found.deployment, ['alpen.test', 'actions.updateWeb.label · #5', '/queue/5']],
    [found.batch, ['actions.edit.label', 'eva@kustos.test · #6', '/batches/6']],
    [found.view, ['Down', 'screens.hosting-web-list.title', '/hosting?view=7']],
  ])('leads to its page: $kind', (entry, expected) => {
    expect(present(entry)).toEqual(expected)
  })

  it('keeps the name of an action or a list that this release does not know', () => {
    expect(present({ ...found.batch, label: 'paintWebs' })).toContain('paintWebs')
    expect(present({ ...found.view, hint: 'paintings' })).toEqual(['Down', 'paintings', '/'])
  })

  it.each([
    ['N 1', ['found node']],
    ['eva@kustos.test', ['found user']],
    ['#5', ['found deployment']],
    ['#6', ['found batch']],
    ['down', ['found view']],
    ['alpen', []],
    ['edit', []],
    ['alp', []],
  ])('puts groups with an exact match first: %s', (query, expected) => {
    expect(ranksFor(query)).toEqual(expected)
  })
})
