const awayAfterMs = 60_000

let lastInputAt = Date.now()

export function trackUserActivity(target: EventTarget): void {
  const onInput = () => {
    lastInputAt = Date.now()
  }
  for (const type of ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchmove'])
    target.addEventListener(type, onInput, { passive: true, capture: true })
}

export const isUserActive = (): boolean => Date.now() - lastInputAt < awayAfterMs
