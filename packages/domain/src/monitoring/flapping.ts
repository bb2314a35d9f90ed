/** So many incidents of a web within this time, and the next one is that of a flapping web. */
export const flappingAfter = 3
export const flappingWithinMs = 3_600_000
/** A flapping web's incident ends when the web has answered for so long. */
export const calmMs = 3_600_000
/** A flapping web that has not answered for so long is down, which is announced. */
export const deadMs = 600_000
