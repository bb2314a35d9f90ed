import { labelGrid } from '@kustos/contract/grid'
import { createTestWeb } from '@kustos/contract/testing'
import { trackingColumnsAt } from '@kustos/contract/webs'
import { expect, it } from 'vitest'
import { findEmptyColumns } from './use-filled-columns.ts'

const { columns } = labelGrid(trackingColumnsAt(0), { columns: {} }, 'en')

it('finds the columns in which no row has a value, a list or a text', () => {
  const webs = [
    createTestWeb({ fqdn: 'one.test', customer: 'ACME', tracking_data: null, metadata: { topics: [] } }),
    createTestWeb({ fqdn: 'two.test', customer: '', tracking_data: null, metadata: { topics: ['cookies'] } }),
  ]
  const empty = findEmptyColumns(columns, webs)
  expect(empty).toContain('gtm')
  expect(empty).toContain('matomo')
  for (const filled of ['id', 'fqdn', 'customer', 'topics']) expect(empty).not.toContain(filled)
})
