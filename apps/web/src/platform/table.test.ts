import { expect, it } from 'vitest'
import { readTable } from './table.ts'

it('turns rows of values into objects, and keeps what else the list has', () => {
  const table = {
    fields: ['id', 'fqdn', 'node'],
    rows: [
      [1, 'a.test', null],
      [2, 'b.test', 'n1'],
    ],
    nodes: [{ name: 'n1' }],
  }
  expect(readTable(table)).toEqual({
    data: [
      { id: 1, fqdn: 'a.test', node: null },
      { id: 2, fqdn: 'b.test', node: 'n1' },
    ],
    nodes: [{ name: 'n1' }],
  })
  expect(readTable({ fields: ['id'], rows: [] })).toEqual({ data: [] })
})
