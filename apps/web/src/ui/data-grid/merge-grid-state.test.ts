import { initialGridState } from '@kustos/contract/grid'
import { describe, expect, it } from 'vitest'
import { mergeGridState } from './merge-grid-state.ts'

const sort = [{ column: 'id', descending: true }]

describe('mergeGridState', () => {
  it('keeps a search that the URL does not contain yet', () => {
    const ours = { ...initialGridState, search: 'alpen' }
    expect(mergeGridState(initialGridState, ours, initialGridState)).toEqual(ours)
  })
  it('takes everything else from the URL', () => {
    const ours = { ...initialGridState, search: 'alpen' }
    const theirs = { ...initialGridState, sort, size: 100 as const }
    expect(mergeGridState(initialGridState, ours, theirs)).toEqual({ ...theirs, search: 'alpen' })
  })
  it('takes the search from the URL if none was typed since', () => {
    const theirs = { ...initialGridState, search: 'new', sort }
    expect(mergeGridState(initialGridState, { ...initialGridState, sort: [] }, theirs)).toEqual(theirs)
  })
})
