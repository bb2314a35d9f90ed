import { setTimeout as sleep } from 'node:timers/promises'
import type { CDPSession } from 'playwright-core'

/** JPEG, because documents embed it as it is. The worse ones are for pages of photographs. */
const qualities = [60, 35, 15]
const maxBytes = 150_000
const timeoutMs = 3_000

/**
 * Takes a picture of what a visitor sees, as JPEG; null if the page is not rendered in time. Never rejects: the visit finds out by
 * itself whether the page is gone.
 */
export async function takeScreenshot(session: CDPSession): Promise<Buffer | null> {
  for (const quality of qualities) {
    const taken = await Promise.race([
      session.send('Page.captureScreenshot', { format: 'jpeg', quality }).catch(() => null),
      sleep(timeoutMs, null, { ref: false }),
    ])
    if (taken === null) return null
    const image = Buffer.from(taken.data, 'base64')
    if (image.length <= maxBytes) return image
  }
  return null
}
