import { defaultWave } from '@kustos/contract/batches'
import { beforeEach, expect, it, vi } from 'vitest'
import { recallWave, rememberWave } from './wave.ts'

beforeEach(() => {
  const stored = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  })
})

it('remembers the choice of each user', () => {
  rememberWave(1, { parallel: 2, stop_above: 0 })
  expect(recallWave(1)).toEqual({ parallel: 2, stop_above: 0 })
  expect(recallWave(2)).toEqual(defaultWave)
})

it.each([
  ['a number that is out of range', { parallel: 0, stop_above: 20 }],
  ['a text', { parallel: '5', stop_above: 20 }],
  ['something else', [5, 20]],
])('ignores %s', (_, stored) => {
  localStorage.setItem('kustos.wave.1', JSON.stringify(stored))
  expect(recallWave(1)).toEqual(defaultWave)
})
