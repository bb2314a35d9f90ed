import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { recall, remember } from './storage.ts'

const before = Object.getOwnPropertyDescriptor(globalThis, 'localStorage')

/** Reading the global throws when storage is blocked. */
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

describe('blocked storage', () => {
  it('stores nothing and throws nothing', () => {
    expect(() => remember('kustos.language', 'de')).not.toThrow()
    expect(recall('kustos.language')).toBeUndefined()
  })
})
