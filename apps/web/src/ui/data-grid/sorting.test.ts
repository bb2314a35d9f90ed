import { describe, expect, it } from 'vitest'
import { nextSort } from './sorting.ts'

const asc = (column: string) => ({ column, descending: false })
const desc = (column: string) => ({ column, descending: true })

describe('a click on a header', () => {
  it('cycles from none to ascending, descending and back', () => {
    const once = nextSort([], 'fqdn', false)
    const twice = nextSort(once, 'fqdn', false)
    expect([once, twice, nextSort(twice, 'fqdn', false)]).toEqual([[asc('fqdn')], [desc('fqdn')], []])
  })

  it('resets other columns unless Shift is held', () => {
    expect(nextSort([asc('node')], 'fqdn', false)).toEqual([asc('fqdn')])
    expect(nextSort([asc('node')], 'fqdn', true)).toEqual([asc('node'), asc('fqdn')])
  })

  it('with Shift keeps the position of a column', () => {
    expect(nextSort([asc('node'), asc('fqdn')], 'node', true)).toEqual([desc('node'), asc('fqdn')])
    expect(nextSort([desc('node'), asc('fqdn')], 'node', true)).toEqual([asc('fqdn')])
  })

  it('on one of several sorted columns sorts by it alone', () => {
    expect(nextSort([asc('node'), asc('fqdn')], 'fqdn', false)).toEqual([desc('fqdn')])
  })
})
