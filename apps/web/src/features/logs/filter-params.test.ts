import { issue } from '@kustos/contract/messages'
import { describe, expect, it } from 'vitest'
import { clearFilter, parseFilter, readQuery, setFilters } from './filter-params.ts'

const read = (query: string) => parseFilter(new URLSearchParams(query))

describe('the filter in the URL', () => {
  it("uses the server's names", () => {
    const query =
      'causer=3&log=webs&subject_type=web&subject_id=17&from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z'
    expect(read(`${query}&q=x&page=2`)).toEqual({
      filter: Object.fromEntries(new URLSearchParams(query)),
      errors: {},
    })
    expect(read('causer=none').filter).toEqual({ causer: 'none' })
  })

  it('omits values that the server would reject and returns their errors', () => {
    expect(read('causer=x&log=webs').filter).toEqual({ log: 'webs' })
    expect(Object.keys(read('causer=x').errors)).toEqual(['causer'])
    expect(read('subject_id=3').filter).toEqual({})
    const reversed = read('from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z')
    expect(reversed.filter).toEqual({ from: '2026-01-02T00:00:00Z' })
    expect(reversed.errors).toEqual({ to: issue('to_not_after_from') })
  })

  it('changes one part and returns to the first page', () => {
    const searchParams = new URLSearchParams('q=x&page=3&subject_type=web&subject_id=3')
    expect(setFilters(searchParams, { log: 'webs' }).toString()).toBe(
      'q=x&subject_type=web&subject_id=3&log=webs',
    )
    expect(setFilters(searchParams, { subject_type: '' }).toString()).toBe('q=x')
    expect(clearFilter(searchParams).toString()).toBe('q=x')
  })
})

describe('what the server is asked for', () => {
  const ask = (query: string) => readQuery(new URLSearchParams(query))

  it('is everything but sign-ins, unless they are asked for', () => {
    expect(ask('')).toEqual({ without: 'sign-ins' })
    expect(ask('customer=ALPEN&within=week')).toEqual({
      customer: 'ALPEN',
      within: 'week',
      without: 'sign-ins',
    })
    for (const query of ['sign_ins=1', 'log=auth', 'action=signed+in', 'result=refused'])
      expect(ask(query)).not.toHaveProperty('without')
  })
})
