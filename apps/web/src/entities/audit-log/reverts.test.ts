import { expect, it } from 'vitest'
import { findReverts } from './reverts.ts'

it('finds which entries were reverted, and by which', () => {
  const entries = [
    { id: 4, properties: { attributes: { comment: 'New', reverts: 3 } } },
    { id: 3, properties: { attributes: { comment: null, reverts: 1 }, old: { comment: 'New' } } },
    { id: 2, properties: { attributes: { reverts_batch: 1 } } },
    { id: 1, properties: {} },
  ]
  expect([...findReverts(entries)]).toEqual([
    [3, 4],
    [1, 3],
  ])
})
