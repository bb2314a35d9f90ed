import { describe, expect, it } from 'vitest'
import { createSearchItem, explainMatch, search, spellingsOf, splitQuery } from './search.ts'

const web = (id: number, fqdn: string, customer = 'KUNDE', aliases: readonly string[] = []) =>
  createSearchItem(fqdn, [String(id), fqdn], [...aliases, customer])

const inventory = [
  web(7, 'web-17.test'),
  web(17, 'alpenhof.test', 'ALPEN', ['hof-am-berg.test']),
  web(18, 'baeckerei.test', '104233', ['bäckerei-müller.test']),
  web(19, 'das-alpenhaus.test'),
  web(20, 'neualpen.test'),
  web(170, 'schloss.test', 'Große Höfe'),
]

const found = (query: string, limit = 20) => search(inventory, query, limit).items

describe('search', () => {
  it.each([
    ['an exact id, then a prefix, then a part', '17', ['alpenhof.test', 'schloss.test', 'web-17.test']],
    ['only the exact name', 'alpenhof.test', ['alpenhof.test']],
    ['a prefix, then a word, then a part', 'alpen', ['alpenhof.test', 'das-alpenhaus.test', 'neualpen.test']],
    ['a customer', '104233', ['baeckerei.test']],
    ['an alias', 'hof-am', ['alpenhof.test']],
    ['a typed umlaut', 'bäckerei', ['baeckerei.test']],
    ['an umlaut that is spelled out', 'mueller', ['baeckerei.test']],
    ['an umlaut without its dots', 'muller', ['baeckerei.test']],
    ['ß by ss', 'grosse', ['schloss.test']],
    ['ss by ß', 'schloß', ['schloss.test']],
    ['names regardless of case', 'ALPENHOF', ['alpenhof.test']],
    ['names regardless of surrounding spaces', '  schloss ', ['schloss.test']],
    ['several words in any order', 'höfe schloss', ['schloss.test']],
    ['nothing if a word is missing', 'schloss alpen', []],
    ['nothing for an unknown word', 'xyz', []],
    ['nothing for a blank query', '   ', []],
    ['nothing for the separator between texts', '\u0000', []],
  ])('finds %s', (_, query, expected) => {
    expect(found(query)).toEqual(expected)
  })

  it('ranks a matching name before other matches', () => {
    const list = [createSearchItem('other', ['zzz'], ['queue']), createSearchItem('it', ['queue'], [])]
    expect(search(list, 'queue', 5).items).toEqual(['it', 'other'])
  })

  it('counts the results beyond the limit', () => {
    expect(search(inventory, 'test', 2)).toEqual({
      items: ['web-17.test', 'alpenhof.test'],
      count: 6,
      best: 2,
    })
  })

  it('finds alternative spellings of the query', () => {
    const list = [createSearchItem('it', ['xn--mnchen-3ya.test'], [])]
    expect(search(list, 'münchen.test', 5).items).toEqual([])
    expect(search(list, 'münchen.test', 5, ['xn--mnchen-3ya.test']).items).toEqual(['it'])
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
  expect(spellingsOf(text)).toEqual(forms)
})

it('splits a query into a web and an action of one or more words', () => {
  expect(splitQuery('seehof export  database')).toEqual([
    { web: 'seehof export', action: 'database' },
    { web: 'seehof', action: 'export database' },
  ])
  expect(splitQuery('seehof')).toEqual([])
})

describe('a match outside the visible text', () => {
  const shown = ['17', 'alpenhof.test', 'ALPEN', 'n1']
  const others = ['hof-am-berg.test', 'bäckerei-müller.test']
  it.each([
    ['an alias', 'hof-am', 'hof-am-berg.test'],
    ['an alias in another spelling', 'Mueller', 'bäckerei-müller.test'],
    ['an alias that one of several words matches', 'alpen berg', 'hof-am-berg.test'],
    ['nothing if the name matches', 'hof', undefined],
    ['nothing if the customer matches', 'alpen', undefined],
    ['nothing without a query', ' ', undefined],
  ])('is named: %s', (_, query, expected) => {
    expect(explainMatch(shown, others, query)).toBe(expected)
  })
})
