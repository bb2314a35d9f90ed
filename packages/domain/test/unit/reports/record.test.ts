import { message } from '@kustos/contract/messages'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { storedProblems } from '../../../src/platform/stored-message.ts'
import { fingerprintOf } from '../../../src/reports/fingerprint.ts'
import { canonicalJson, cutTexts, monthOf, type RecordedAudit } from '../../../src/reports/record.ts'
import { auditOf, findingOf, requested, visitOf } from '../../reports/evidence.ts'

describe('canonical JSON', () => {
  it('orders names by code units and has no white space', () => {
    expect(canonicalJson({ b: [1, null, { d: 'ü"', c: undefined }], a: true, Z: -0 })).toBe(
      '{"Z":0,"a":true,"b":[1,null,{"d":"ü\\""}]}',
    )
  })

  test('is the same for the same value in another order, and is read back as the value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        const json = canonicalJson(value)
        expect(canonicalJson(JSON.parse(json))).toBe(json)
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(value)))
        expect(Buffer.from(json).toString()).toBe(json)
      }),
      { numRuns: 30 },
    )
  })

  test('cuts texts of megabytes, and says what they were', () => {
    const cut = cutTexts({ a: ['x'.repeat(2_000_000)], b: 'short' }) as { a: [string]; b: string }
    expect(cut.b).toBe('short')
    expect(cut.a[0]).toMatch(/^x{10000}… \(2000000 characters, SHA-256 [0-9a-f]{64}\)$/)
  })

  test('months begin at UTC', () => {
    expect(monthOf(new Date('2026-11-30T23:59:59.999Z')).toJSON()).toBe('2026-11-01T00:00:00.000Z')
    expect(monthOf(new Date('2026-12-01T00:30:00+01:00')).toJSON()).toBe('2026-11-01T00:00:00.000Z')
  })
})

const recorded = (audit: ReturnType<typeof auditOf>): RecordedAudit => ({
  ...audit,
  ...storedProblems(audit.problems),
})
const print = (audit: ReturnType<typeof auditOf>, circumstances = {}) =>
  fingerprintOf(recorded(audit), circumstances)
const [ga] = visitOf().stored ?? []
if (!ga) throw new Error('The visit stores nothing')
const other = requested({ phase: 'accepted', verdict: 'none', host: 'other.test', topic: null })
const base = print(auditOf(visitOf({ asked: [requested(), other] })))

describe('the fingerprint of an audit', () => {
  it.each([
    [
      'other addresses and numbers of requests',
      visitOf({
        asked: [
          requested({ url: 'https://x/?_p=9', requests: 7, initiator: null, kind: 'script', method: 'GET' }),
          other,
        ],
      }),
    ],
    ['another order of requests', visitOf({ asked: [other, requested()] })],
    [
      'some seconds more until a cookie expires',
      visitOf({ asked: [requested(), other], stored: [{ ...ga, lifetime: 34_560_021 }] }),
    ],
    [
      'a screenshot',
      visitOf({ asked: [requested(), other], screenshots: [{ phase: 'before', sha256: 'a', bytes: 1 }] }),
    ],
  ])('ignores %s', (_, visit) => {
    expect(print(auditOf(visit))).toBe(base)
  })

  it.each([
    ['a new host', auditOf(visitOf({ asked: [requested(), other, requested({ host: 'new.test' })] }))],
    ['a host that is gone', auditOf(visitOf({ asked: [requested()] }))],
    ['a verdict', auditOf(visitOf({ asked: [requested({ verdict: 'denied' }), other] }))],
    ['an id', auditOf(visitOf({ asked: [requested({ ids: ['G-OTHER12345'] }), other] }))],
    [
      'a field of a later release',
      auditOf(visitOf({ asked: [{ ...requested(), category: 'analytics' } as never, other] })),
    ],
    ['a cookie', auditOf(visitOf({ asked: [requested(), other], stored: [] }))],
    [
      'the lifetime of a cookie',
      auditOf(visitOf({ asked: [requested(), other], stored: [{ ...ga, lifetime: 86_400 * 30 }] })),
    ],
    ['a consent signal', auditOf(visitOf({ asked: [requested(), other], signals: [] }))],
    ['how consent was refused', auditOf(visitOf({ asked: [requested(), other], refused: null }))],
    [
      'a finding',
      { ...auditOf(visitOf({ asked: [requested(), other] })), findings: [findingOf({ value: 'G-2' })] },
    ],
    [
      'a problem',
      { ...auditOf(visitOf({ asked: [requested(), other] })), problems: [message('page_too_deep')] },
    ],
    ['the outcome', { ...auditOf(visitOf({ asked: [requested(), other] })), outcome: 'partial' as const }],
  ])('notices %s', (_, audit) => {
    expect(print(audit)).not.toBe(base)
  })

  it('notices what could not be read and why, not the parameters of its address', () => {
    const failed = (...problems: ReturnType<typeof auditOf>['problems'][number][]) =>
      print({ ...auditOf(null), outcome: 'failed', findings: [], problems })
    const answered = (status: number, url = 'https://hotel.test/') =>
      failed(message('page_error', { url, status }))
    expect(answered(404)).not.toBe(answered(500))
    expect(answered(500, 'https://hotel.test/?_=1')).toBe(answered(500))
    const unread = (status: number) =>
      failed(
        message('script_unread', {
          url: 'https://hotel.test/a.js',
          reason: message('server_answered', { status }),
        }),
      )
    expect(unread(503)).not.toBe(unread(403))
    const unreadAt = (url: string) =>
      failed(message('script_unread', { url, reason: message('script_too_complex') }))
    expect(unreadAt('https://hotel.test/a.js')).not.toBe(unreadAt('https://hotel.test/b.js'))
    expect(unreadAt('https://hotel.test/a.js?v=1')).toBe(unreadAt('https://hotel.test/a.js?v=2#x'))
    const notHtml = (type: string) => failed(message('page_not_html', { url: 'https://hotel.test/', type }))
    expect(notHtml('image/png')).not.toBe(notHtml('application/pdf'))
  })

  it('notices whether what was found waits for consent, not where else or how it was found', () => {
    const evidence = (gated: boolean, url = 'https://hotel.test/') =>
      ({ source: 'script', url, excerpt: '<script>', gated }) as const
    const found = (...all: ReturnType<typeof evidence>[]) =>
      print({ ...auditOf(), findings: [findingOf({ evidence: all })] })
    const waiting = found(evidence(true))
    expect(found(evidence(false))).not.toBe(waiting)
    expect(found(evidence(true), evidence(false))).toBe(found(evidence(false)))
    expect(found(evidence(true, 'https://hotel.test/?v=2'), evidence(true))).toBe(waiting)
  })

  it('notices another browser or customer', () => {
    const audit = auditOf()
    expect(print(audit, { customer: 'A' })).not.toBe(print(audit, { customer: 'B' }))
  })
})
