import { expect, test } from 'vitest'
import { createMask } from '../../src/platform/masking/index.ts'

const secret = 'https://hc.test/ping/0123456789abcdef'

function openStream() {
  const shown: string[] = []
  return { shown, stream: createMask([secret]).stream((line) => shown.push(line)) }
}

test('masks a secret whose parts have empty lines between them', () => {
  const { shown, stream } = openStream()
  for (const line of [`a ${secret.slice(0, 12)}`, '', '  ', secret.slice(12), 'b']) stream.write(line)
  stream.end()
  expect(shown).toEqual(['a [secret]', '', '  ', '[secret]', 'b'])
})

test('holds a limited number of lines back', () => {
  const { shown, stream } = openStream()
  stream.write('see https:')
  // Each would be compared with all that are held, and a command can print millions.
  for (let written = 0; written < 2_500; written++) stream.write('')
  expect(shown.length).toBeGreaterThan(1_000)
  stream.end()
  expect(shown).toEqual(['see [secret]', ...Array.from({ length: 2_500 }, () => '')])
})
