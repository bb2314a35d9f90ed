import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { readScript as read } from '../../../src/tracking/scripts/read-script.ts'
import { createScriptReader } from '../../../src/tracking/scripts/script-reader.ts'

const readScript = (text: string, isCut = false) => read({ text, isCut })
const MiB = 1024 * 1024
const many = (part: string, size = 2 * MiB) => part.repeat(Math.floor(size / part.length))

describe('code', () => {
  const call = `fbq("x")`
  const runs = (source: string) => (readScript(source)?.calls.length ?? 0) > 0
  test.each([
    [call],
    [`a=1;${call}`],
    [`var s = 'it\\'s';${call}`],
    [`var t = \`a\${${call}}b\``],
    [`var t = \`a\${\`b\${${call}}\`}c\``],
    [`x = a / b; ${call} / 2`],
    [`x = /[/"']/.test(s); ${call}`],
    [`x = s.replace(/"/g, '').split("'"); ${call}`],
    [`if (a) { b } /* " */ ${call}`],
    ['var u = "http://a.test"; fbq("x") // "'],
    [`"use strict"\n${call}`],
    [`#!/usr/bin/env node\n${call}`],
    [`return ${call}`],
    [`import a from './a.js'; export const b = await ${call}`],
    [`with (a) { ${call} }`],
    [`if (false) { a() } ${call}`],
    [`if(!1)a(")");${call}`],
    [`if (0) a({ b: [1, 2] }); ${call}`],
    [`if (false)\n  a('x')\n${call}`],
    [`if (false) { a() } else { ${call} }`],
    [`if (false) { if (0) { a() } } ${call}`],
    [`if (falsy) { ${call} }`],
    [`if (false || a) { ${call} }`],
    [`function f() { if (0) return } ${call}`],
    [`for (;false;) a(); ${call}`],
    [`do { a() } while (0)\n${call}`],
    [`do ${call}; while (false)`],
    [`if(0)for(;;){a()}${call}`],
    [`if(0)do{a()}while(0)\n${call}`],
    [`if(false)try{}catch{}${call}`],
    [`if(0)l:{a()}${call}`],
    [`if(0)function a(){}${call}`],
    [`l: { if (a) break l; b() } ${call}`],
    [`try { throw a } catch { } ${call}`],
    [`try { return a } catch { } ${call}`],
    [`for (const a of b) { if (a) continue; ${call} }`],
    [`function f(a) { if (a) return; ${call} }`],
    [`function f() { return g(); function g() { ${call} } }`],
    [`let a; if (!a) { a = 1; ${call} }`],
    [`function f(a) { if (a === 1) ${call} } f(2); window.f = f`],
    [`const o = { on: false }; merge(o, settings); if (o.on) ${call}`],
    [`class A { static { ${call} } }`],
    [`export default function () { ${call} }`],
    [`export default class { a() { ${call} } }`],
    [`label: for (;;) { break label } ${call}`],
  ])('runs: %s', (source) => expect(runs(source)).toBe(true))

  test.each([
    [`// ${call}`],
    [`/* ${call} */`],
    [`'${call}'`],
    [`var s = 'it\\'s ${call}'`],
    [`\`${call} \${a}\``],
    [`\`\${a} ${call}\``],
    [`x = /${call}/`],
    [`<!-- ${call}`],
    [`x = a / b; // ${call}`],
    [`x = /[/"']/; // ${call}`],
    [`if (false) { a(); ${call} }`],
    [`if (false) { if (a) { b() } "s"; ${call} }`],
    [`if(!1){${call}}else{a()}`],
    [`if (0) ${call}; a()`],
    [`if ( !true )\n  ${call}\na()`],
    [`while (false) { ${call} }`],
    [`if(0)for(;;){${call}}a()`],
    [`if(0)!function(f){a(f)}(${call});b()`],
    [`if(0)a({b:1},\n${call});c()`],
    [`if (0) { a({}); ${call} }`],
    [`/*\n${call}\n`],
    [`var broken = "it does not end\n${call}`],
    [`if (false) { ${call}`],
  ])('does not run: %s', (source) => expect(runs(source)).toBe(false))

  test('is named by its position', () => {
    const source = `/* é */ a(); window [ 'fbq' ] ( 'init', "1" ); b()`
    const [found] = readScript(source)?.calls ?? []
    expect(source.slice(found?.start, found?.end)).toBe(`window [ 'fbq' ] ( 'init', "1" )`)
    expect(found).toMatchObject({ name: 'fbq', args: ['init', '1'] })
  })

  test('keeps long ids as they are written', () => {
    expect(readScript('fbq("init", 12345678901234567890)')?.calls[0]?.args[1]).toBe('12345678901234567890')
  })

  test('has no facts if it is not JavaScript', () => {
    expect(readScript(`fbq('init', '1') }`)).toMatchObject({ calls: [], texts: [] })
  })

  test.each([
    ['within a text', `fbq('init', '1'); var a = "it ends he`],
    ['within functions', `!function () { a(); function a() { if (b) { fbq('init', '1'); c([{ d: (`],
    ['within a template', `fbq('init', '1'); a = \`\${b} c`],
    ['within a loop', `fbq('init', '1'); for (let a = 0;`],
  ])('is read as far as it reaches if it was cut off %s', (_, source) => {
    expect(readScript(source)?.calls).toEqual([])
    expect(readScript(source, true)?.calls).toMatchObject([{ name: 'fbq', args: ['init', '1'] }])
  })

  test('is read whatever it consists of', () => {
    const part = fc.constantFrom(
      ...[
        'var a = ',
        'b = ',
        'a',
        'b',
        ' + ',
        '.c',
        '[a]',
        '()',
        'function f(a, b) { return ',
        '}',
        '(',
        ')',
        '{',
        ';',
        ',',
      ],
      ...[
        'window',
        'this',
        'fbq',
        '`${',
        '}`',
        '=>',
        '...',
        '"x"',
        'const { a = 1, ...b } = ',
        '[',
        ']',
        '? a : b',
        '||',
      ],
      ...[
        'for (const a of b) ',
        'class A extends a { b() {',
        'import("x")',
        'if (a) ',
        'new ',
        'async ',
        'return ',
      ],
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 25 }), (parts) => {
        expect(readScript(parts.join(''))).not.toBeNull()
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('a hostile script', () => {
  const limits = { readMs: 60_000, idleMs: 60_000, heapMb: 320, stackMb: 8, cached: 10 }
  const open = (more: Partial<typeof limits> = {}) => {
    const { read: readSource, end } = createScriptReader({ ...limits, ...more })
    const readText = (text: string, remainingMs: () => number, signal?: AbortSignal) =>
      readSource({ text, isCut: false }, remainingMs, signal)
    return { read: readText, end }
  }
  const reader = open()
  const patient = () => 60_000
  afterAll(() => reader.end())
  const honest = async () => (await reader.read(`fbq('init', '${Math.random()}')`, patient))?.calls.length

  const laughs = Array.from({ length: 60 }, (_, index) => `const a${index + 1} = a${index} + a${index}`)
  const lists = Array.from(
    { length: 60 },
    (_, index) => `const l${index + 1} = [l${index}, l${index}, l${index}]`,
  )
  const calls = Array.from(
    { length: 60 },
    (_, index) => `const f${index + 1} = (x) => f${index}(x + x) + f${index}(x)`,
  )

  test.each([
    ['opening brackets', many('(')],
    ['opening square brackets', many('[')],
    ['opening braces', many('{')],
    ['balanced brackets', many('[', MiB) + many(']', MiB)],
    ['nested functions', `${many('function a(){', MiB)}${'}'.repeat(Math.floor(MiB / 13))}`],
    ['nested calls', `${many('a(', MiB)}${')'.repeat(MiB / 2)}`],
    ['negations', `${many('!')}0`],
    ['sums', `x = ${many('"a" + ')}"b"; fbq("init", x)`],
    ['conditions', `${many('if (a) {} else ')}b()`],
    ['templates', many('`${')],
    ['statements', many('a;')],
    ['assignments to one variable', many('a=1;')],
    ['aliases', Array.from({ length: 50_000 }, (_, index) => `var a${index + 1}=a${index}`).join(';')],
    ['a sum of sums', `const a0 = 'fbq'; ${laughs.join(';')}; fbq('init', a60)`],
    ['a list of lists', `const l0 = ['a']; ${lists.join(';')}; fbq('init', l60); fbq(...l60)`],
    ['functions of functions', `const f0 = (x) => x; ${calls.join(';')}; fbq('init', f60('a'))`],
    [
      'functions that call themselves',
      `function f(a) { return f(g(a)) + a } function g(a) { return g(f(a)) } ${many("fbq('init', f('a'));", MiB)}`,
    ],
    ['calls', many(`fbq('init', a, {b: 1});`)],
    [
      'parameters',
      `(function(${Array.from({ length: 50_000 }, (_, index) => `a${index}`).join()}) {})(${many('1,', 200_000)}1)`,
    ],
    ['a regular expression', `a = /${many('(a+)+')}/`],
  ])(
    'ends no process, and the next is read: %s',
    async (_, source) => {
      const facts = await reader.read(source, () => 3_000)
      expect(facts === null || facts.calls.length <= 500).toBe(true)
      expect(await honest()).toBe(1)
    },
    120_000,
  )

  test('is not read if it takes more memory, stack or time than allowed', async () => {
    const deep = await reader.read(`${'['.repeat(200_000)}${']'.repeat(200_000)}`, patient)
    const small = open({ heapMb: 24 })
    const large = await small.read(many('a(b);'), patient)
    await small.end()
    const late = await reader.read(many('b(c);'), () => 5)
    const none = await reader.read('fbq("init", 1)', () => 0)
    expect([deep, large, late, none]).toEqual([null, null, null, null])
    expect(await honest()).toBe(1)
  }, 120_000)

  test('is no longer waited for once the audit was aborted', async () => {
    const abort = new AbortController()
    const read = reader.read(many('c(d);'), patient, abort.signal)
    abort.abort(new Error('no longer needed'))
    await expect(read).rejects.toThrow('no longer needed')
    expect(await honest()).toBe(1)
  })

  test('is read once for all pages that have it, and an unused thread ends', async () => {
    const brief = open({ idleMs: 1 })
    const source = `fbq('init', '123456789012345')`
    const first = await brief.read(source, patient)
    await sleep(50)
    expect(await brief.read(source, patient)).toBe(first)
    expect((await brief.read(`${source};`, patient))?.calls).toHaveLength(1)
    await brief.end()
  })
})
