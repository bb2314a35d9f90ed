import { expect, test } from 'vitest'
import { maxLineLength, splitLines } from '../src/runner/line-splitter.ts'

function split(...chunks: (string | Buffer)[]): string[] {
  const lines: string[] = []
  const splitter = splitLines((line) => lines.push(line))
  for (const chunk of chunks) splitter.write(Buffer.from(chunk))
  splitter.end()
  return lines
}

test.each<[string, (string | Buffer)[], string[]]>([
  ['removes line ends', ['one\ntwo\r\n', '\n', 'three\n'], ['one', 'two', '', 'three']],
  ['accepts a last line without a line end', ['one\ntw', 'o'], ['one', 'two']],
  ['returns no line for no text', ['', ''], []],
  [
    'joins a character that is split between chunks',
    [...Buffer.from('höfe – süß\n')].map((byte) => Buffer.from([byte])),
    ['höfe – süß'],
  ],
  ['keeps the last state of a progress line', ['10 %\r', '20 %\r100 %', '\r', '\ndone\n'], ['100 %', 'done']],
  ['keeps a progress line without a line end', ['10 %\r20 %\r'], ['20 %']],
  ['removes colours and NUL', ['\u001b[31mred\u001b[0m \u0000\n'], ['red \ufffd']],
  ['replaces bytes that are not UTF-8', [Buffer.from([0x61, 0xff, 0x0a])], ['a\ufffd']],
])('%s', (_name, chunks, lines) => {
  expect(split(...chunks)).toEqual(lines)
})

test('truncates a very long line and keeps the next one', () => {
  const [long = '', next] = split('x'.repeat(100_000), `${'x'.repeat(100_000)}\nnext\n`)
  expect(long).toBe(`${'x'.repeat(maxLineLength)} … (cut)`)
  expect(next).toBe('next')
})
