import { describe, expect, it } from 'vitest'
import { type TypedAhead, withKey } from './typed-ahead.ts'

const pressed = (key: string, modifiers: { ctrlKey?: boolean; altGraph?: boolean } = {}) => ({
  key,
  ctrlKey: modifiers.ctrlKey ?? false,
  metaKey: false,
  altKey: modifiers.altGraph ?? false,
  isComposing: false,
  getModifierState: () => modifiers.altGraph ?? false,
})
const writing = (...keys: string[]) =>
  keys.reduce<TypedAhead>((typed, key) => withKey(typed, pressed(key)) ?? typed, { text: '', entered: false })

describe('what is typed before the palette stands', () => {
  it('is kept in its order, and corrected', () => {
    expect(writing('s', 'e', 'e', 'x', 'Backspace', 'Shift', 'ß')).toEqual({ text: 'seeß', entered: false })
    expect(writing('Backspace', 'a')).toEqual({ text: 'a', entered: false })
  })

  it('ends with Enter', () => {
    expect(writing('a', 'Enter', 'b', 'Backspace', 'Enter')).toEqual({ text: 'a', entered: true })
  })

  it('leaves shortcuts and other keys to whom they are meant for', () => {
    const typed = { text: 'a', entered: false }
    expect(withKey(typed, pressed('v', { ctrlKey: true }))).toBeNull()
    expect(withKey(typed, pressed('Escape'))).toBeNull()
    expect(withKey(typed, pressed('@', { altGraph: true }))).toEqual({ text: 'a@', entered: false })
  })
})
