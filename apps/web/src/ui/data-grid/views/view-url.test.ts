import { defineGrid, gridStateFromQuery, initialGridState } from '@kustos/contract/grid'
import type { View } from '@kustos/contract/views'
import { describe, expect, it } from 'vitest'
import { findMissing, viewQuery } from './view-contents.ts'
import {
  ownParams,
  readSavedView,
  readUrl,
  replaceOwnParams,
  savedUrl,
  viewIdOf,
  viewUrl,
  writeUrl,
} from './view-url.ts'

interface Row {
  readonly id: number
  readonly fqdn: string
}
const grid = defineGrid<Row>({
  name: 'webs',
  columns: [
    { key: 'id', kind: 'number' },
    { key: 'fqdn', kind: 'text', set: 'names' },
  ],
  sets: [{ key: 'names', isVisibleByDefault: true }],
})
const view: View = {
  id: 12,
  list: 'webs',
  name: 'Berg',
  query: 'deleted=1&q=berg&f.fqdn=contains%3Aa&sort=-id&size=100&sets=names',
  column_order: ['fqdn', 'id'],
  column_widths: { fqdn: 300 },
  audience: 'private',
  role: null,
  owner: { id: 1, name: 'Anna' },
  is_editable: true,
  is_pinned: false,
  is_default: false,
  notifications: 'off',
  created_at: '2026-11-21T12:00:00Z',
  updated_at: '2026-11-21T12:00:00Z',
}
const saved = readSavedView(view, grid)
const write = (search: string, change: object = {}, of = saved) =>
  writeUrl(search, { ...readUrl(search, grid, of), ...change }, of, false)

describe('the URL of a view', () => {
  it('shows what the view saved if it names nothing else but a page', () => {
    expect(readUrl('?view=12', grid, saved)).toEqual({ ...saved.state, page: 1 })
    expect(readUrl('?view=12&deleted=1&page=3', grid, saved)).toEqual({ ...saved.state, page: 3 })
    expect(saved.state).toMatchObject({
      search: 'berg',
      size: 100,
      sort: [{ column: 'id', descending: true }],
    })
  })

  it('stays short while nothing but the page differs', () => {
    expect(savedUrl(saved)).toBe('?view=12&deleted=1')
    expect(write('?view=12&deleted=1')).toBe('?view=12&deleted=1')
    expect(write('?view=12&deleted=1', { page: 2 })).toBe('?view=12&deleted=1&page=2')
  })

  it('leads to the view as saved', () => {
    expect(viewUrl(view)).toBe('/hosting?view=12&deleted=1')
  })

  it('has the parameters of a newer version, and keeps all others', () => {
    const newer = readSavedView({ ...view, query: 'q=berg' }, grid)
    expect(replaceOwnParams('?view=12&deleted=1&page=2&entry=3', saved, newer)).toBe(
      '?view=12&page=2&entry=3',
    )
    expect(replaceOwnParams('?view=12', newer, saved)).toBe('?view=12&deleted=1')
  })

  it('has the whole state of a changed view, and is short again once that is undone', () => {
    const changed = write('?view=12&deleted=1', { search: 'alpen' })
    expect(readUrl(changed, grid, saved)).toEqual({ ...saved.state, search: 'alpen' })
    // It shows the same without the view, as to those who may not open it.
    expect(gridStateFromQuery([...new URLSearchParams(changed)], grid)).toEqual({
      ...saved.state,
      search: 'alpen',
    })
    expect(write(changed, { search: 'berg' })).toBe('?view=12&deleted=1')
  })

  it('is another one without the parameters of the list', () => {
    expect(readUrl(write('?view=12'), grid, saved)).toEqual(saved.state)
    expect(write('?view=12')).toContain('q=berg')
  })

  it('tells a view without its filters from the view', () => {
    const empty = write('?view=12&deleted=1', initialGridState)
    expect(empty).toBe('?view=12&deleted=1&changed=1')
    expect(readUrl(empty, grid, saved)).toEqual(initialGridState)
  })

  it('has the whole state of a view that is missing', () => {
    const url = writeUrl('?view=12', saved.state, undefined, false)
    expect(readUrl(url, grid)).toEqual(saved.state)
  })

  it('asks for no view once the search is cleared in a list that has a default', () => {
    expect(writeUrl('?q=a', initialGridState, undefined, true)).toBe('?view=none')
    expect(writeUrl('?q=a', initialGridState, undefined, false)).toBe('')
    expect(writeUrl('?view=none&q=a', initialGridState, undefined, true)).toBe('?view=none')
    expect(writeUrl('?view=none', { ...initialGridState, search: 'a' }, undefined, true)).toBe(
      '?view=none&q=a',
    )
  })

  it.each([
    ['?view=12', 12],
    ['?view=none', undefined],
    ['?view=-1', undefined],
    ['?view=1.5', undefined],
    ['', undefined],
  ])('of %j names %j', (search, id) => expect(viewIdOf(search)).toBe(id))
})

it('is saved with the visible sets, without a page and other parameters', () => {
  const state = { ...initialGridState, search: 'berg', page: 4 }
  expect(viewQuery(grid, state, ['names'], [['deleted', '1']])).toBe('deleted=1&q=berg&sets=names')
})

it.each([
  ['tracking', 'before_consent=1&page=2&entry=3', [['before_consent', '1']]],
  ['third-parties', 'review=1&view=2', [['review', '1']]],
  ['nodes', 'before_consent=1', []],
] as const)('of the list %s keeps its own parameters of "%s"', (list, query, own) => {
  expect(ownParams({ list }, new URLSearchParams(query))).toEqual(own)
})

describe('columns that the list no longer has', () => {
  it('are named', () => {
    const old = {
      ...view,
      query: 'f.gone=contains%3Aa&f.gone=ends%3Ab&f.id=%3D%3A1&sort=-old,id&sets=names,lost',
      column_order: ['away', 'id'],
      column_widths: { away: 80 },
    }
    expect(findMissing(old, grid)).toEqual({ filters: ['gone'], columns: ['old', 'away', 'lost'] })
    expect(readSavedView(old, grid).state).toMatchObject({
      filters: [{ column: 'id' }],
      sort: [{ column: 'id' }],
      sets: ['names'],
    })
  })

  it('are none if all are there', () => expect(findMissing(view, grid)).toBeNull())
})
