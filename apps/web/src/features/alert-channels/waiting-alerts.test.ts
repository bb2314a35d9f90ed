import { expect, it } from 'vitest'
import { textOfWaiting } from './waiting-alerts.ts'

it.each([
  [2, 'alertChannels.deleteWaiting'],
  [1, 'alertChannels.deleteLost'],
  [null, 'alertChannels.deleteLost'],
])('says what becomes of the alerts of deleted channel 1 if the fallback is channel %s', (fallback, text) => {
  const channel = (id: number) => ({ id, fallback: id === fallback })
  expect(textOfWaiting(channel(1), [channel(1), channel(2)])).toBe(text)
})
