/** Without a sign of somebody for so long, in milliseconds, nobody sits before the screen. */
const patience = 60_000

/** Whoever has just opened the page sits before it. */
let lastSign = Date.now()

/** Follows the signs that somebody sits here: keys, pointers and wheels. */
export function watchAttendance(target: EventTarget): void {
  const note = () => {
    lastSign = Date.now()
  }
  for (const sign of ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchmove'])
    target.addEventListener(sign, note, { passive: true, capture: true })
}

/** Whether somebody sits before the screen, as far as can be told. */
export const isAttended = (): boolean => Date.now() - lastSign < patience
