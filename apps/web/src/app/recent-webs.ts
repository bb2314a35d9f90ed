import { recall, remember } from '../platform/storage.ts'

const maxCount = 8

// Each user of a browser has their own list.
const keyOf = (user: number) => `kustos.recentWebs.${user}`

const isId = (value: unknown): value is number => Number.isSafeInteger(value)

export function recentWebs(user: number): readonly number[] {
  const stored = recall(keyOf(user))
  return Array.isArray(stored) ? stored.filter(isId).slice(0, maxCount) : []
}

export function rememberWeb(user: number, web: number) {
  const others = recentWebs(user).filter((id) => id !== web)
  remember(keyOf(user), [web, ...others].slice(0, maxCount))
}
