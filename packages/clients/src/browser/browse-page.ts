import { setTimeout as sleep } from 'node:timers/promises'
import type { CDPSession, Page } from 'playwright-core'

/** Parts of a longer page are skipped; a page that grows without end is not followed. */
const maxSteps = 25
/** The time that a page gets to draw what has come into view. */
const stepMs = 60
/** A page that blocks scrolling, such as behind its banner, stays where it is; a busy machine moves it late. */
const maxStepsWithoutMove = 3
const maxMs = 4_000

/**
 * Moves the mouse or, on a phone, a finger, and scrolls to the end of a page and back, as a visitor who reads it does: many pages
 * load the rest only then. Presses nothing. Never rejects, and gives up after four seconds.
 */
export async function browsePage(page: Page, session: CDPSession, hasTouch: boolean): Promise<void> {
  const until = performance.now() + maxMs
  // The visit finds out by itself whether a page is gone or hangs.
  const browsed = browse(page, session, hasTouch, until).catch(() => undefined)
  await Promise.race([browsed, sleep(maxMs, undefined, { ref: false })])
}

async function browse(page: Page, session: CDPSession, hasTouch: boolean, until: number): Promise<void> {
  const { width = 0, height = 0 } = page.viewportSize() ?? {}
  // Embedded maps and films, which would take what is meant for the page, are seldom at its edge.
  const [x, y] = [Math.round(width / 50), Math.round(height / 2)]
  // A finger moves a page by less than a window's height each time, which takes too long.
  const scroll = hasTouch
    ? (distance: number) => page.evaluate(`scrollBy({ top: ${distance}, behavior: 'instant' })`)
    : (distance: number) => page.mouse.wheel(0, distance)
  if (hasTouch) await swipe(session, x, y)
  else {
    await page.mouse.move(Math.round(width / 2), Math.round(height / 10))
    await page.mouse.move(x, y)
  }
  let at = await readPosition(session)
  const step = Math.max(Math.round(height * 0.9), Math.ceil(at.below / maxSteps))
  let unmoved = 0
  for (let steps = 0; steps < maxSteps && unmoved < maxStepsWithoutMove; steps++) {
    if (performance.now() > until) return
    await scroll(step)
    await sleep(stepMs)
    const { above } = at
    at = await readPosition(session)
    if (at.below <= 0) break
    unmoved = at.above > above ? 0 : unmoved + 1
  }
  if (at.above > 0) await page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
}

/** The heights of what is above the window and below it, in CSS pixels. The page's scripts cannot falsify them. */
async function readPosition(
  session: CDPSession,
): Promise<{ readonly above: number; readonly below: number }> {
  const { cssLayoutViewport, cssContentSize } = await session.send('Page.getLayoutMetrics')
  const { pageY, clientHeight } = cssLayoutViewport
  return { above: pageY, below: Math.floor(cssContentSize.height - pageY - clientHeight) }
}

async function swipe(session: CDPSession, x: number, y: number): Promise<void> {
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: { x: number; y: number }[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints })
  await send('touchStart', [{ x, y }])
  await send('touchMove', [{ x, y: Math.round(y / 2) }])
  await send('touchEnd', [])
}
