type Area = 'localStorage' | 'sessionStorage'

/**
 * Keeps a value in this browser, or in this tab. Storage may be full or forbidden (reading the global throws then): the
 * value holds for as long as the page is open.
 */
export function remember(key: string, value: unknown, area: Area = 'localStorage') {
  try {
    globalThis[area].setItem(key, JSON.stringify(value))
  } catch {
    // Nothing depends on it but the next visit.
  }
}

/** @returns undefined where nothing readable was remembered: others may write there too */
export function recall(key: string, area: Area = 'localStorage'): unknown {
  try {
    return JSON.parse(globalThis[area].getItem(key) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

export const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')
