import { describe, expect, it } from 'vitest'
import { addConflicts, changedFields, merge, rebase } from './merge.ts'

const base = { fqdn: 'a.test', comment: '', categories: [1, 2], active: true }

describe('changedFields', () => {
  it('finds no change in equal lists', () => {
    expect(changedFields(base, { ...base, categories: [1, 2] })).toEqual([])
  })
  it('names each field that differs', () => {
    expect(changedFields(base, { ...base, categories: [2], active: false })).toEqual(['categories', 'active'])
  })
})

describe('merge', () => {
  it('keeps typed values of fields that nobody else changed', () => {
    const mine = { ...base, comment: 'mine' }
    expect(merge(base, mine, { ...base, fqdn: 'b.test' })).toEqual({
      values: { ...base, fqdn: 'b.test', comment: 'mine' },
      conflicts: {},
    })
  })
  it('takes the latest value of a field changed by both, and returns the typed one', () => {
    const mine = { ...base, comment: 'mine', categories: [] }
    const newest = { ...base, comment: 'theirs', categories: [3] }
    expect(merge(base, mine, newest)).toEqual({
      values: newest,
      conflicts: { comment: 'mine', categories: [] },
    })
  })
  it('has no conflict if both made the same change', () => {
    const mine = { ...base, active: false }
    expect(merge(base, mine, mine)).toEqual({ values: mine, conflicts: {} })
  })
  it('takes everything if nothing was typed', () => {
    const newest = { fqdn: 'c.test', comment: 'theirs', categories: [], active: false }
    expect(merge(base, base, newest)).toEqual({ values: newest, conflicts: {} })
  })
})

describe('addConflicts', () => {
  const earlier = { comment: 'mine', fqdn: 'mine.test' }
  it('keeps what an earlier merge has displaced', () => {
    expect(addConflicts({ values: base, conflicts: { categories: [7] } }, earlier)).toEqual({
      ...earlier,
      categories: [7],
    })
  })
  it('replaces it by what was typed since', () => {
    const merged = { values: base, conflicts: { comment: 'mine again' } }
    expect(addConflicts(merged, earlier).comment).toBe('mine again')
  })
  it('drops what the other side has taken over', () => {
    expect(addConflicts({ values: { ...base, comment: 'mine' }, conflicts: {} }, earlier)).toEqual({
      fqdn: 'mine.test',
    })
  })
})

describe('rebase', () => {
  it('takes new values except in edited fields', () => {
    const saved = { name: 'Ada', password: 'correct horse battery' }
    const reset = { name: 'Ada', password: '' }
    expect(rebase(saved, saved, reset)).toEqual(reset)
    expect(rebase(saved, { ...saved, name: 'Ada L.' }, reset)).toEqual({ name: 'Ada L.', password: '' })
    expect(rebase(saved, { ...saved, password: 'another one' }, reset).password).toBe('another one')
  })
})
