/** Local storage may be full, forbidden or hold what somebody else wrote: then nothing is remembered. */
export function remember(key: string, value: unknown) {
  try {
    localStorage.setItem(key, JSON.stringify(value))
  } catch {
    // The choice holds for as long as the page is open.
  }
}

/** @returns undefined where nothing readable was remembered */
export function recall(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

export const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')
