import { describe, expect, it } from 'vitest'
import { findable, formsOf, foundBy, search, splits } from './search.ts'

const web = (id: number, fqdn: string, customer = 'KUNDE', aliases: readonly string[] = []) =>
  findable(fqdn, [String(id), fqdn], [...aliases, customer])

const inventory = [
  web(7, 'web-17.test'),
  web(17, 'alpenhof.test', 'ALPEN', ['hof-am-berg.test']),
  web(18, 'baeckerei.test', '104233', ['bäckerei-müller.test']),
  web(19, 'das-alpenhaus.test'),
  web(20, 'neualpen.test'),
  web(170, 'schloss.test', 'Große Höfe'),
]

const found = (query: string, limit = 20) => search(inventory, query, limit).things

describe('search results, best first', () => {
  it.each([
    [
      'an exact id before one that begins so, and before a part',
      '17',
      ['alpenhof.test', 'schloss.test', 'web-17.test'],
    ],
    ['an exact name alone', 'alpenhof.test', ['alpenhof.test']],
    ['beginning, then word, then part', 'alpen', ['alpenhof.test', 'das-alpenhaus.test', 'neualpen.test']],
    ['a customer', '104233', ['baeckerei.test']],
    ['an alias', 'hof-am', ['alpenhof.test']],
    ['an umlaut typed', 'bäckerei', ['baeckerei.test']],
    ['an umlaut spelled out', 'mueller', ['baeckerei.test']],
    ['an umlaut without its dots', 'muller', ['baeckerei.test']],
    ['ß as ss', 'grosse', ['schloss.test']],
    ['ss as ß', 'schloß', ['schloss.test']],
    ['whatever the case', 'ALPENHOF', ['alpenhof.test']],
    ['spaces around', '  schloss ', ['schloss.test']],
    ['words that stand apart, in any order', 'höfe schloss', ['schloss.test']],
    ['nothing where a word is missing', 'schloss alpen', []],
    ['nothing at all', 'xyz', []],
    ['nothing for no query', '   ', []],
    ['what stands between texts is not found', '\u0000', []],
  ])('%s', (_, query, expected) => {
    expect(found(query)).toEqual(expected)
  })

  it('rank a matching name before other matches', () => {
    const list = [findable('other', ['zzz'], ['queue']), findable('it', ['queue'], [])]
    expect(search(list, 'queue', 5).things).toEqual(['it', 'other'])
  })

  it('count the results beyond the limit', () => {
    expect(search(inventory, 'test', 2)).toEqual({
      things: ['web-17.test', 'alpenhof.test'],
      count: 6,
      best: 2,
    })
  })

  it('find alternative spellings of the query', () => {
    const list = [findable('it', ['xn--mnchen-3ya.test'], [])]
    expect(search(list, 'münchen.test', 5).things).toEqual([])
    expect(search(list, 'münchen.test', 5, ['xn--mnchen-3ya.test']).things).toEqual(['it'])
  })
})

it.each([
  ['Alpenhof', ['alpenhof']],
  ['Müller', ['mueller', 'muller']],
  // Composed and decomposed characters are equal.
  ['Mu\u0308ller', ['mueller', 'muller']],
  ['Café', ['cafe']],
  ['Straße', ['strasse']],
])('%s is spelled as %j', (text, forms) => {
  expect(formsOf(text)).toEqual(forms)
})

it('finds the action behind the name of the web, in one word or several', () => {
  expect(splits('seehof export  database')).toEqual([
    { web: 'seehof export', action: 'database' },
    { web: 'seehof', action: 'export database' },
  ])
  expect(splits('seehof')).toEqual([])
})

describe('a match outside the visible text', () => {
  const shown = ['17', 'alpenhof.test', 'ALPEN', 'n1']
  const others = ['hof-am-berg.test', 'bäckerei-müller.test']
  it.each([
    ['an alias', 'hof-am', 'hof-am-berg.test'],
    ['an alias that is spelled otherwise', 'Mueller', 'bäckerei-müller.test'],
    ['a word of several', 'alpen berg', 'hof-am-berg.test'],
    ['nothing, where the name has it', 'hof', undefined],
    ['nothing, where the customer has it', 'alpen', undefined],
    ['nothing without a query', ' ', undefined],
  ])('names its field: %s', (_, query, by) => {
    expect(foundBy(shown, others, query)).toBe(by)
  })
})
