import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readIssue } from '../src/messages/message.ts'
import { asciiFqdn, fqdn } from '../src/webs/fqdn.ts'

describe('a host name', () => {
  it.each([
    ['Example.COM', 'example.com', 'example.com'],
    ['  www.example.com ', 'www.example.com', 'www.example.com'],
    ['Übergrößen-Träger.example', 'übergrößen-träger.example', 'xn--bergren-trger-fdb4f3omd.example'],
    ['straße.example', 'straße.example', 'xn--strae-oqa.example'],
    ['XN--STRAE-OQA.example', 'xn--strae-oqa.example', 'xn--strae-oqa.example'],
    // Decomposed umlauts, full-width letters
    ['u\u0308ber.example', 'über.example', 'xn--ber-goa.example'],
    ['ｅｘample.example', 'example.example', 'example.example'],
    ['1-2-3.example', '1-2-3.example', '1-2-3.example'],
    ['例え.テスト', '例え.テスト', 'xn--r8jz45g.xn--zckzah'],
  ])('%s is stored as %s and compared as %s', (typed, stored, ascii) => {
    expect(fqdn.parse(typed)).toBe(stored)
    expect(asciiFqdn(stored)).toBe(ascii)
  })

  it.each([
    '',
    '.',
    'localhost',
    'a..b',
    '.a.b',
    'a.b.',
    '-a.example',
    'a-.example',
    'a b.example',
    'a_b.example',
    'a.example/path',
    'a.example:80',
    'user@a.example',
    'https://a.example',
    '192.0.2.1',
    '0x7f.1',
    '2130706433.0',
    '[::1]',
    'a.\u00ad.example',
    'exa\u00admple.com',
    'a。example',
    '*.example.com',
    'a.example#x',
    'a.example?x',
    'a\u0000.example',
    `${'a'.repeat(64)}.example`,
    `${'a.'.repeat(127)}example`,
    '\ud800.example',
  ])('%j is invalid', (typed) => {
    expect(fqdn.safeParse(typed).success).toBe(false)
  })

  it.each([
    'p\u0430ypal.example', // Cyrillic а
    'g\u03bfogle.example', // Greek omicron
    'www.\u0440aypal.example',
    '\u0441\u03bfm.example', // Cyrillic and Greek
    'h\u0585tel.example', // Armenian
    '\u13a0pple.example', // Cherokee
  ])('%s mixes scripts, so it could look like another', (typed) => {
    const { error } = fqdn.safeParse(typed)
    expect(readIssue(error?.issues[0]?.message ?? '')).toEqual({ code: 'host_name_mixes_scripts' })
  })

  it.each([
    'пример.example',
    'www.пример.example',
    'παράδειγμα-24.example',
    'עברית.example',
    'مثال.example',
    'ラーメンtokyoの寿司.example',
    '한국-seoul.example',
    'ไทย.example',
    'हिन्दी.example',
  ])('%s has one script in each label, or several that belong together', (typed) => {
    expect(fqdn.safeParse(typed).success).toBe(true)
  })

  it('may have 253 characters', () => {
    const longest = `${['a', 'b', 'c'].map((letter) => letter.repeat(63)).join('.')}.${'d'.repeat(61)}`
    expect(longest).toHaveLength(253)
    expect(fqdn.safeParse(longest).success).toBe(true)
    expect(fqdn.safeParse(`${longest}d`).success).toBe(false)
  })

  it('does not change when normalised again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 30 }), fc.domain(), (label, domain) => {
        const first = fqdn.safeParse(`${label}.${domain}`)
        fc.pre(first.success)
        expect(fqdn.parse(first.data)).toBe(first.data)
        const ascii = asciiFqdn(first.data)
        expect(ascii && asciiFqdn(ascii)).toBe(ascii)
      }),
      { numRuns: 2000 },
    )
  })
})
