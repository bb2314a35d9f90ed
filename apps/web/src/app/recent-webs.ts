import { recall, remember } from './storage.ts'

/** So many webs are remembered. */
const most = 8

// Whoever uses this browser next starts with webs of their own.
const keyOf = (user: number) => `kustos.recentWebs.${user}`

const isId = (value: unknown): value is number => Number.isSafeInteger(value)

/** The ids of the webs that a user looked at last in this browser, the latest first. */
export function recentWebs(user: number): readonly number[] {
  const stored = recall(keyOf(user))
  return Array.isArray(stored) ? stored.filter(isId).slice(0, most) : []
}

/** Notes that a user looks at a web. */
export function rememberWeb(user: number, web: number) {
  const others = recentWebs(user).filter((id) => id !== web)
  remember(keyOf(user), [web, ...others].slice(0, most))
}
