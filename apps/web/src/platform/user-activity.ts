/** Without input for so long the user counts as away. */
const awayAfterMs = 60_000

let lastInputAt = Date.now()

/** Follows input by keyboard, pointer, wheel and touch. */
export function trackUserActivity(target: EventTarget): void {
  const note = () => {
    lastInputAt = Date.now()
  }
  for (const type of ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchmove'])
    target.addEventListener(type, note, { passive: true, capture: true })
}

export const isUserActive = (): boolean => Date.now() - lastInputAt < awayAfterMs
