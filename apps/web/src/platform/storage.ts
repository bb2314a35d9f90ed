type Area = 'localStorage' | 'sessionStorage'

/** Stores a value for this browser or tab. Full or blocked storage is ignored. */
export function remember(key: string, value: unknown, area: Area = 'localStorage') {
  try {
    globalThis[area].setItem(key, JSON.stringify(value))
  } catch {
    // Losing it only affects the next visit.
  }
}

/** @returns undefined if nothing valid is stored */
export function recall(key: string, area: Area = 'localStorage'): unknown {
  try {
    return JSON.parse(globalThis[area].getItem(key) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

/** @returns undefined for what is not JSON */
export function parseJson(text: unknown): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : undefined
  } catch {
    return undefined
  }
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isStringArray = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')
