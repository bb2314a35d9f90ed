import { expect, it } from 'vitest'
import { listChange, logColumns, logRows } from '../src/logs/index.ts'

it.each<[string, unknown, unknown, ReturnType<typeof listChange>]>([
  ['texts', ['a', 'b'], ['b', 'c'], { removed: ['a'], added: ['c'] }],
  ['numbers', [1], [1, 2], { removed: [], added: ['2'] }],
  ['items with a name', [{ id: 1, name: 'admin' }], [], { removed: ['admin'], added: [] }],
  ['items with an fqdn', [], [{ fqdn: 'a.test' }], { removed: [], added: ['a.test'] }],
  ['another order', ['a', 'b'], ['b', 'a'], null],
  ['an item that changed', [{ name: 'a', at: 1 }], [{ name: 'a', at: 2 }, { name: 'b' }], null],
  ['items without a name', [{ x: 1 }], [{ x: 2 }], null],
  ['a name twice', ['a', 'a'], ['a'], null],
  ['no previous list', null, ['a'], null],
])('finds removed and added values: %s', (_, old, now, change) => {
  expect(listChange(old, now)).toEqual(change)
})

it('names who changed what before the changes on narrow screens', () => {
  expect(logColumns.primaryColumns).toEqual([
    'created_at',
    'causer',
    'description',
    'subject_name',
    'properties',
  ])
})

it('shows which permissions a role lost and gained', () => {
  const entry = {
    id: 1,
    created_at: '2026-01-31T12:00:00Z',
    log_name: 'roles',
    description: 'updated',
    subject_type: 'role',
    subject_id: 2,
    subject_name: 'hosting',
    causer_id: null,
    properties: {
      old: { name: 'hosting', permissions: ['view webs', 'edit webs'] },
      attributes: { name: 'staff', permissions: ['view webs', 'view queue'] },
    },
    request_id: null,
    names: null,
  }
  const [row] = logRows({ data: [entry], users: [] })
  const column = logColumns.columns.find(({ key }) => key === 'properties')
  expect(row && column?.value(row)).toBe('name: hosting → staff; permissions: − edit webs, + view queue')
})
