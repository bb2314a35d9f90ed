import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { createSecretBox } from '../../src/platform/secret-box.ts'

const [first, second] = [randomBytes(32), randomBytes(32)]
const boxOf = (...keys: readonly Buffer[]) => {
  const box = createSecretBox(keys)
  if (box === null) throw new Error('There is no box')
  return box
}

it('opens what it has sealed, for the same purpose only', () => {
  const box = boxOf(first)
  const sealed = box.seal('geheim “ß”', 'node 1')
  expect(sealed).not.toContain('geheim')
  expect(box.open(sealed, 'node 1')).toBe('geheim “ß”')
  expect(box.open(sealed, 'node 2')).toBe(null)
  expect(box.seal('geheim “ß”', 'node 1')).not.toBe(sealed)
})

it('opens with older keys and seals with the first', () => {
  const old = boxOf(first).seal('secret', 'p')
  expect(boxOf(second, first).open(old, 'p')).toBe('secret')
  expect(boxOf(second).open(old, 'p')).toBe(null)
  expect(boxOf(first).open(boxOf(second, first).seal('secret', 'p'), 'p')).toBe(null)
})

it.each([
  ['changed', (text: string) => `${text.slice(0, -2)}AA`],
  ['cut off', (text: string) => text.slice(0, 30)],
  ['empty', () => ''],
  ['of another version', (text: string) => text.replace('v1', 'v2')],
])('does not open a text that is %s', (_, change) => {
  const box = boxOf(first)
  expect(box.open(change(box.seal('a secret of some length', 'p')), 'p')).toBe(null)
})

it('does not exist without a key', () => {
  expect(createSecretBox([])).toBe(null)
})
