import type { Tag } from '@kustos/contract/tags'
import { describe, expect, it } from 'vitest'
import { addTag, suggestTags } from './suggest-tags.ts'

const tag = (name: string, type: Tag['type'] = 'none', options: string[] = []): Tag => ({
  id: 1,
  name,
  type,
  options,
  color: 'grey',
  description: null,
  usage: null,
  created_at: '2026-11-21T12:00:00Z',
  updated_at: '2026-11-21T12:00:00Z',
})
const tags = [
  tag('contract', 'list', ['gold', 'silver']),
  tag('legal'),
  tag('no-contract'),
  tag('review', 'date'),
]
const suggest = (typed: string, carried: string[] = []) =>
  suggestTags(tags, typed, carried).map(({ tag: name, known, error }) => [
    name,
    known === undefined ? 'new' : (error?.code ?? 'known'),
  ])

describe('suggestTags', () => {
  it.each([
    [
      '',
      [
        ['contract', 'known'],
        ['contract:gold', 'known'],
        ['contract:silver', 'known'],
        ['legal', 'known'],
        ['no-contract', 'known'],
        ['review', 'known'],
      ],
    ],
    [
      'leg',
      [
        ['legal', 'known'],
        ['leg', 'new'],
      ],
    ],
    [' Legal ', [['legal', 'known']]],
    [
      'tract',
      [
        ['contract', 'known'],
        ['contract:gold', 'known'],
        ['contract:silver', 'known'],
        ['no-contract', 'known'],
        ['tract', 'new'],
      ],
    ],
    ['contract:G', [['contract:gold', 'known']]],
    ['contract: bronze', [['contract:bronze', 'tag_value_unlisted']]],
    ['legal:yes', [['legal:yes', 'tag_value_unexpected']]],
    ['review:', [['review', 'known']]],
    ['review:2026-02-30', [['review:2026-02-30', 'tag_value_no_date']]],
    ['review:2026-02-28', [['review:2026-02-28', 'known']]],
    ['sla: 99.9', [['sla:99.9', 'new']]],
    ['x'.repeat(51), []],
  ])('suggests for %j', (typed, expected) => {
    expect(suggest(typed)).toEqual(expected)
  })

  it('leaves out what is carried already', () => {
    expect(suggest('contract', ['contract:gold'])).toEqual([
      ['contract', 'known'],
      ['contract:silver', 'known'],
      ['no-contract', 'known'],
    ])
  })
})

describe('addTag', () => {
  it('replaces the value of a tag that is carried', () => {
    expect(addTag(['contract:gold', 'legal'], 'contract:silver', false)).toEqual(['contract:silver', 'legal'])
  })

  it('keeps the other values of a condition', () => {
    const values = addTag(['contract:silver', 'legal'], 'contract:gold', true)
    expect(values).toEqual(['contract:gold', 'contract:silver', 'legal'])
    expect(addTag(values, 'contract:gold', true)).toEqual(values)
  })
})
