import { initialGridState } from '@kustos/contract/grid'
import { describe, expect, it } from 'vitest'
import { mergeGridState } from './merge-grid-state.ts'

const sort = [{ column: 'id', descending: true }]

describe('mergeGridState', () => {
  it('keeps a search that the address has not learned of yet', () => {
    const ours = { ...initialGridState, search: 'alpen' }
    expect(mergeGridState(initialGridState, ours, initialGridState)).toEqual(ours)
  })
  it('takes what the address says of all else', () => {
    const ours = { ...initialGridState, search: 'alpen' }
    const theirs = { ...initialGridState, sort, size: 100 as const }
    expect(mergeGridState(initialGridState, ours, theirs)).toEqual({ ...theirs, search: 'alpen' })
  })
  it('takes the address where nothing was asked since', () => {
    const theirs = { ...initialGridState, search: 'new', sort }
    expect(mergeGridState(initialGridState, { ...initialGridState, sort: [] }, theirs)).toEqual(theirs)
  })
})
