import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { evaluateAnswer, type KnownRecords, type Records } from '../../../src/domains/evaluate-answer.ts'

const start = Date.parse('2026-11-20T10:00:00Z')
const tenMinutesMs = 600_000

/** Follows readings of a set, ten minutes apart; each has the answers of two lookups. */
function follow(readings: readonly (readonly [Records, Records | null])[], current: Records = ['a']) {
  let known: KnownRecords = { current }
  const changes: { at: number; records: Records; since: string }[] = []
  for (const [index, [answer, second]] of readings.entries()) {
    const evaluation = evaluateAnswer(known, answer, second, new Date(start + index * tenMinutesMs))
    if (evaluation.kind === 'changed') {
      changes.push({ at: index, records: answer, since: evaluation.since })
      known = { current: answer }
    } else known = { ...evaluation, current: known.current }
  }
  return changes
}

const both = (...records: string[]): readonly [Records, Records] => [records, records]

describe('a change of DNS records', () => {
  it('counts from its first sight on, once two readings agree', () => {
    expect(follow([both('a'), both('b'), both('b'), both('b')])).toEqual([
      { at: 2, records: ['b'], since: new Date(start + tenMinutesMs).toISOString() },
    ])
  })

  it.each<[string, readonly (readonly [Records, Records | null])[]]>([
    ['one reading has seen it', [both('b'), both('a'), both('b'), both('a')]],
    ['the second lookup differs', Array.from({ length: 20 }, () => [['b'], ['a']] as const)],
    ['the second lookup fails', Array.from({ length: 20 }, () => [['b'], null] as const)],
    ['each lookup has other records of a pool', Array.from({ length: 50 }, (_, i) => both(`r${i % 7}`))],
    ['two sets take turns', Array.from({ length: 100 }, (_, i) => both(i % 2 === 0 ? 'b' : 'a'))],
  ])('does not count if %s', (_, readings) => {
    expect(follow(readings)).toEqual([])
  })

  it('counts after two hours if records have come and gone before', () => {
    const readings = [both('b'), both('a'), ...Array.from({ length: 13 }, () => both('b'))]
    expect(follow(readings).map(({ at }) => at)).toEqual([13])
  })

  it('counts when records appear or disappear', () => {
    expect(follow([both(), both()])).toMatchObject([{ records: [] }])
    expect(follow([both('x'), both('x')], [])).toMatchObject([{ records: ['x'] }])
  })

  it('is never found while all answers are the known records', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string(), { maxLength: 4 }), fc.nat(30), (records, count) => {
        expect(
          follow(
            Array.from({ length: count }, () => both(...records)),
            records,
          ),
        ).toEqual([])
      }),
    )
  })

  it('is found at last, once, if the answers stay', () => {
    const noise = fc.array(fc.constantFrom(both('a'), both('c'), both('d')), { maxLength: 20 })
    fc.assert(
      fc.property(noise, (before) => {
        const changes = follow([...before, ...Array.from({ length: 12 }, () => both('z'))])
        expect(changes.filter(({ records }) => records[0] === 'z')).toHaveLength(1)
      }),
    )
  })
})
