import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { recall, remember } from './storage.ts'

const before = Object.getOwnPropertyDescriptor(globalThis, 'localStorage')

/** A browser that refuses storage throws as soon as the global is read. */
beforeEach(() => {
  Object.defineProperty(globalThis, 'localStorage', {
    configurable: true,
    get() {
      throw new DOMException('The request is insecure.', 'SecurityError')
    },
  })
})
afterEach(() => {
  Reflect.deleteProperty(globalThis, 'localStorage')
  if (before !== undefined) Object.defineProperty(globalThis, 'localStorage', before)
})

describe('forbidden storage', () => {
  it('remembers nothing and stops nobody', () => {
    expect(() => remember('kustos.language', 'de')).not.toThrow()
    expect(recall('kustos.language')).toBeUndefined()
  })
})
