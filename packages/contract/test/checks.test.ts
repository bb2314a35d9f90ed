import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import {
  checkChange,
  checkEdits,
  defaultCheck,
  hasStatus,
  readStatuses,
  writeStatuses,
} from '../src/checks/index.ts'
import { issueText } from '../src/messages/english.ts'
import { isUp } from '../src/monitoring/index.ts'

const status = fc.integer({ min: 200, max: 599 })
const ranges = fc.array(fc.tuple(status, status), { minLength: 1, maxLength: 8 })

describe('expected statuses', () => {
  it('have every status of their ranges and no other', () => {
    fc.assert(
      fc.property(ranges, status, (pairs, one) => {
        const ordered = pairs.map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const)
        const read = readStatuses(ordered.map(([from, to]) => `${from} - ${to}`).join(' , ')) ?? []
        expect(hasStatus(read, one)).toBe(ordered.some(([from, to]) => one >= from && one <= to))
        expect(readStatuses(writeStatuses(read))).toEqual(read)
      }),
    )
  })

  test.each(['', '20', '200-', '399-200', '200;301', '100', '600', 'ok'])('%j is refused', (text) => {
    expect(readStatuses(text)).toBeNull()
  })

  it('are by default those of a web that is up, but 401, 403 and 429', () => {
    const expected = readStatuses(defaultCheck.statuses) ?? []
    for (let one = 200; one < 600; one++)
      expect(hasStatus(expected, one), String(one)).toBe(isUp(one) && ![401, 403, 429].includes(one))
  })
})

describe('settings of a check', () => {
  it('are stored in one spelling', () => {
    const given = { statuses: ' 401, 200-299,300-399 ', redirect_hosts: ['Shop.Höfe-Südtirol.test '] }
    expect(checkChange.parse(given)).toEqual({
      statuses: '200-399,401',
      redirect_hosts: ['shop.xn--hfe-sdtirol-rfb6f.test'],
    })
  })

  it.each([
    ['path', 'status'],
    ['path', '/a b'],
    ['path', '/a#b'],
    ['path', '/a\r\nX-Evil: 1'],
    ['method', 'POST'],
    ['statuses', '200, then some'],
    ['redirect_hosts', ['https://shop.test/']],
    ['timeout_seconds', 0],
    ['timeout_seconds', 11],
    ['slow_ms', -1],
    ['required_text', 'x'.repeat(201)],
    ['headers', [{ name: 'X-A\r\nX-B', value: '1' }]],
    ['headers', [{ name: 'Host', value: 'evil.test' }]],
    ['headers', [{ name: 'content-length', value: '5' }]],
    ['headers', [{ name: 'X-A', value: 'a\r\nX-B: 1' }]],
    [
      'headers',
      [
        { name: 'X-A', value: '1' },
        { name: 'x-a', value: '2' },
      ],
    ],
  ])('%s %j is refused', (field, value) => {
    const { error } = checkChange.safeParse({ [field]: value })
    expect(error?.issues.map(({ path }) => path[0])).toContain(field)
    for (const { message } of error?.issues ?? []) expect(issueText(message)).not.toContain('{"code"')
  })

  it('cannot give headers to many webs', () => {
    expect(checkEdits.parse({ slow_ms: 2000, path: null, headers: [{ name: 'X-A', value: '1' }] })).toEqual({
      slow_ms: 2000,
      path: null,
    })
  })
})
