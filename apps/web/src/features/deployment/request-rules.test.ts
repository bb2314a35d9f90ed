import { issue } from '@kustos/contract/messages'
import { describe, expect, it } from 'vitest'
import { isOldDump, outcomeOf, trialDayNames, validateAvailability } from './request-rules.ts'

describe('the preview of a request', () => {
  it.each([
    ['web134-kickstarter-base', ' Alpenhof.TEST ', 'web134-alpenhof.test', 'alpenhof.test'],
    ['web134-kickstarter-base', 'bäckerei.test', 'web134-baeckerei.test', 'bäckerei.test'],
    ['web124-alpenhof.test', 'neu.test', 'web124-neu.test', 'neu.test'],
    ['', 'neu.test', null, 'neu.test'],
    ['web134-kickstarter-base', 'www.neu.test', null, null],
    ['web134-kickstarter-base', 'neu', null, null],
  ])('derives the names from %s and %s', (source, domain, repository, fqdn) => {
    expect(outcomeOf(source, domain)).toEqual({ repository, fqdn })
  })

  it('transliterates umlauts of a codename in the repository only', () => {
    expect(trialDayNames('müller')).toEqual({
      name: 'schnuppertag-müller',
      repository: 'schnuppertag-mueller',
    })
    for (const invalid of ['', 'Anna', 'anna1', 'a'.repeat(19)]) expect(trialDayNames(invalid)).toBeNull()
  })

  it('is refused if the repository exists', () => {
    const repositories = [{ name: 'web134-neu.test' }]
    expect(validateAvailability(repositories, 'web134-neu.test')).toBe(issue('repository_taken'))
    expect(validateAvailability(repositories, 'web124-neu.test')).toBeUndefined()
    expect(validateAvailability(repositories, null)).toBeUndefined()
  })
})

it.each([
  [null, true],
  ['2026-11-19T11:59:59.000Z', true],
  ['2026-11-19T12:00:00.000Z', false],
  ['2026-11-20T12:00:05.000Z', false],
])('a dump of %s is old: %s', (dumpedAt, expected) => {
  expect(isOldDump(dumpedAt, Date.parse('2026-11-20T12:00:00.000Z'))).toBe(expected)
})
