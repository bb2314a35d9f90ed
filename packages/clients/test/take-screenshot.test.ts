import { expect, test } from 'vitest'
import { takeScreenshot } from '../src/browser/take-screenshot.ts'

type Session = Parameters<typeof takeScreenshot>[0]

test('a picture that Chromium refuses to take is missing, and ends no visit', async () => {
  // As it does between two documents, or if its memory is scarce.
  const send = () =>
    Promise.reject(new Error('Protocol error (Page.captureScreenshot): Unable to capture screenshot'))
  expect(await takeScreenshot({ send } as unknown as Session)).toBeNull()
})
