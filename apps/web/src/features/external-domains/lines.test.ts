import { parseDomainLines } from '@kustos/contract/external-domains'
import { describe, expect, it } from 'vitest'
import {
  applyRefusals,
  countLines,
  getLineRange,
  hasProblem,
  isPending,
  type Refusal,
  removeLines,
} from './lines.ts'

const text = 'one.test\n\nmüller.test\nMÜLLER.test\nno domain\nlisted.test\ntwo.test'
const lines = parseDomainLines(text, new Set(['listed.test']))
const none = new Map<string, Refusal>()

describe('pasted lines', () => {
  it('leave out empty ones', () => {
    expect(applyRefusals(lines, none).map(({ line, verdict }) => [line, verdict])).toEqual([
      [1, 'valid'],
      [3, 'valid'],
      [4, 'duplicate'],
      [5, 'invalid'],
      [6, 'listed'],
      [7, 'valid'],
    ])
  })

  it("show the server's error for any spelling of the domain", () => {
    const shown = applyRefusals(lines, new Map([['xn--mller-kva.test', { message: 'No.', isFinal: false }]]))
    expect(shown.find(({ line }) => line === 3)).toMatchObject({ verdict: 'failed', message: 'No.' })
    expect(shown.filter(hasProblem).map(({ line }) => line)).toEqual([3, 4, 5, 6])
    expect(countLines(shown)).toEqual({ valid: 3, duplicate: 2, wrong: 1 })
  })

  it('are not sent again after a final refusal', () => {
    const shown = applyRefusals(lines, new Map([['one.test', { message: 'No.', isFinal: true }]]))
    expect(countLines(shown)).toEqual({ valid: 2, duplicate: 2, wrong: 2 })
    expect(shown.filter(isPending).map(({ line }) => line)).toEqual([3, 7])
    const changed = parseDomainLines(text.replace('one.test', 'first.test'), new Set(['listed.test']))
    expect(
      countLines(applyRefusals(changed, new Map([['one.test', { message: 'No.', isFinal: true }]]))),
    ).toEqual({
      valid: 3,
      duplicate: 2,
      wrong: 1,
    })
  })
})

it('rejects an own domain in any spelling without sending it', () => {
  const own = new Set(['xn--mller-kva.test'])
  const [one, mueller] = applyRefusals(parseDomainLines('one.test\nMÜLLER.test', new Set(), own), none)
  expect(one).toMatchObject({ verdict: 'valid' })
  expect(mueller).toMatchObject({ verdict: 'invalid', message: { code: 'external_domain_is_own' } })
  expect(mueller && isPending(mueller)).toBe(false)
})

it('removes lines and keeps the rest as typed', () => {
  expect(removeLines(lines, ({ verdict }) => verdict === 'valid')).toBe('MÜLLER.test\nno domain\nlisted.test')
})

it.each([
  [1, 'one.test'],
  [2, ''],
  [5, 'no domain'],
  [7, 'two.test'],
])('finds line %i in the text', (line, expected) => {
  expect(text.slice(...getLineRange(text, line))).toBe(expected)
})
