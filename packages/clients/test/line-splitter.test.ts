import { expect, test } from 'vitest'
import { maxLineLength, splitLines } from '../src/runner/line-splitter.ts'

function linesOf(...chunks: (string | Buffer)[]): string[] {
  const lines: string[] = []
  const splitter = splitLines((line) => lines.push(line))
  for (const chunk of chunks) splitter.write(Buffer.from(chunk))
  splitter.end()
  return lines
}

test.each<[string, (string | Buffer)[], string[]]>([
  ['line ends are left out', ['one\ntwo\r\n', '\n', 'three\n'], ['one', 'two', '', 'three']],
  ['a last line needs no end', ['one\ntw', 'o'], ['one', 'two']],
  ['nothing is no line', ['', ''], []],
  [
    'a letter may come in pieces',
    [...Buffer.from('höfe – süß\n')].map((byte) => Buffer.from([byte])),
    ['höfe – süß'],
  ],
  ['of a progress the last state counts', ['10 %\r', '20 %\r100 %', '\r', '\ndone\n'], ['100 %', 'done']],
  ['a progress without its end is told too', ['10 %\r20 %\r'], ['20 %']],
  ['colours and NUL are left out', ['\u001b[31mred\u001b[0m \u0000\n'], ['red \ufffd']],
  ['what is no UTF-8 is shown as such', [Buffer.from([0x61, 0xff, 0x0a])], ['a\ufffd']],
])('%s', (_name, chunks, lines) => {
  expect(linesOf(...chunks)).toEqual(lines)
})

test('truncates a very long line and keeps the next one', () => {
  const [long = '', next] = linesOf('x'.repeat(100_000), `${'x'.repeat(100_000)}\nnext\n`)
  expect(long).toBe(`${'x'.repeat(maxLineLength)} … (cut)`)
  expect(next).toBe('next')
})
