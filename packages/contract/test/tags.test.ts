import { describe, expect, it } from 'vitest'
import { changeTags, readTagValue } from '../src/tags/carried.ts'
import type { TagType } from '../src/tags/states.ts'
import { carriedTags, newTag, removedTags } from '../src/tags/tag.ts'

const codesOf = (result: { error?: { issues: { message: string }[] } | undefined }) =>
  result.error?.issues.map(({ message }) => (JSON.parse(message) as { code: string }).code)

describe('tags that are carried', () => {
  it.each([
    [[' Legal '], ['legal']],
    [['ＬＥＧＡＬ', 'legal'], ['legal']],
    [
      ['contract: Gold', 'a'],
      ['a', 'contract:Gold'],
    ],
    [['größe:ok'], ['größe:ok']],
    [['town:Mu\u0308hle'], ['town:Mühle']],
    [['contract:'], ['contract']],
    [['link:https://a.test:8080/'], ['link:https://a.test:8080/']],
    [['mood:🙂'], ['mood:🙂']],
    [[`${'x'.repeat(50)}:${'y'.repeat(100)}`], [`${'x'.repeat(50)}:${'y'.repeat(100)}`]],
  ])('reads %j as %j', (given, expected) => {
    expect(carriedTags.parse(given)).toEqual(expected)
  })

  it.each([
    ['no name', [''], 'name_required'],
    ['no name before a value', [':gold'], 'name_required'],
    ['a long name', ['x'.repeat(51)], 'too_long'],
    ['a very long name', ['x'.repeat(300)], 'too_long'],
    ['an endless text', ['x'.repeat(100_000)], 'too_long'],
    ['a long value', [`a:${'x'.repeat(101)}`], 'too_long'],
    ['an emoji', ['🙂'], 'tag_name_invalid'],
    ['a space', ['two words'], 'tag_name_invalid'],
    ['another script', ['договор'], 'tag_name_invalid'],
    ['a right-to-left script', ['חוזה'], 'tag_name_invalid'],
    ['a dash at the beginning', ['-a'], 'tag_name_invalid'],
    ['a character that reverses text', ['a:x\u202ey'], 'character_invisible'],
    ['a value of two lines', ['a:x\ny'], 'character_invisible'],
    ['NUL', ['a:x\u0000y'], 'character_not_storable'],
    ['a comma', ['a:x,y'], 'tag_value_has_comma'],
    ['a semicolon', ['a:x;y'], 'tag_value_has_comma'],
    ['a name twice', ['a:x', 'A:y'], 'tag_twice'],
  ])('refuses %s', (_, given, code) => {
    expect(codesOf(carriedTags.safeParse(given))).toContain(code)
  })

  it('are at most 50', () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => `tag${index}`)
    expect(carriedTags.safeParse(many(50)).success).toBe(true)
    for (const count of [51, 10_000]) expect(carriedTags.safeParse(many(count)).success).toBe(false)
  })

  it('may be taken away by name and by value', () => {
    expect(removedTags.parse(['Contract', 'a: b'])).toEqual(['contract', 'a:b'])
  })
})

describe('changing tags', () => {
  it.each([
    [['a', 'c:x'], ['b'], [], ['a', 'b', 'c:x']],
    [['c:x'], ['c:y'], [], ['c:y']],
    [['c:x'], ['c'], [], ['c']],
    [['a', 'c:x'], [], ['c'], ['a']],
    [['c:x'], [], ['c:y'], ['c:x']],
    [['c:x'], [], ['c:x'], []],
    [['ab'], [], ['a'], ['ab']],
    [['a'], ['a'], ['a'], ['a']],
    [['town:Mu\u0308hle'], [], ['town:Mühle'], []],
  ])('of %j adds %j and removes %j', (held, added, removed, expected) => {
    expect(changeTags(held, added, removed)).toEqual(expected)
  })
})

describe('a value', () => {
  const read = (type: TagType, value: string | null) => {
    const result = readTagValue({ name: 'a', type, options: ['Gold', 'silver', 'Mu\u0308hle'] }, value)
    return 'error' in result ? result.error.code : result.value
  }
  it.each([
    ['none', null, null],
    ['none', 'x', 'tag_value_unexpected'],
    ['text', 'x', 'x'],
    ['date', null, null],
    ['list', 'GOLD', 'Gold'],
    ['list', 'mühle', 'Mu\u0308hle'],
    ['list', 'bronze', 'tag_value_unlisted'],
    ['number', '-12.5', '-12.5'],
    ['number', '12.', 'tag_value_no_number'],
    ['number', '1e5', 'tag_value_no_number'],
    ['number', '007', 'tag_value_no_number'],
    ['date', '2028-02-29', '2028-02-29'],
    ['date', '2026-02-29', 'tag_value_no_date'],
    ['date', '2026-13-01', 'tag_value_no_date'],
    ['date', '26-01-01', 'tag_value_no_date'],
  ] as const)('of type %s reads %j as %j', (type, value, expected) => {
    expect(read(type, value)).toBe(expected)
  })
})

describe('a tag of the catalogue', () => {
  it('has the defaults', () => {
    expect(newTag.parse({ name: ' Legal ' })).toEqual({
      name: 'legal',
      type: 'none',
      options: [],
      color: 'grey',
      description: null,
    })
  })

  it.each([
    ['a colon in its name', { name: 'a:b' }, 'tag_name_invalid'],
    ['a list without values', { name: 'a', type: 'list' }, 'tag_options_wrong'],
    ['values without a list', { name: 'a', type: 'text', options: ['x'] }, 'tag_options_wrong'],
    ['a value twice', { name: 'a', type: 'list', options: ['x', 'X'] }, 'tag_option_twice'],
    ['an empty value', { name: 'a', type: 'list', options: [' '] }, 'tag_option_missing'],
  ])('is refused with %s', (_, input, code) => {
    expect(codesOf(newTag.safeParse(input))).toContain(code)
  })
})
