import { recall, remember } from '../platform/storage.ts'

const key = 'kustos.reloadedAt'
const reloadAgainAfterMs = 60_000

/** Whether an error means that a file of this build could not be loaded, as Chromium, Firefox and Safari say it. */
export const isMissingCode = (error: unknown): boolean =>
  error instanceof Error &&
  /dynamically imported module|importing a module script failed|unable to preload css/i.test(error.message)

export async function isServerReachable(): Promise<boolean> {
  try {
    return (await fetch('/', { cache: 'no-store' })).ok
  } catch {
    return false
  }
}

/**
 * Reloads the page, unless this tab did so within the last minute: then a reload does not help.
 * @returns whether the page reloads
 */
export function reloadOnce(): boolean {
  const reloadedAt = recall(key, 'sessionStorage')
  if (typeof reloadedAt === 'number' && Date.now() - reloadedAt < reloadAgainAfterMs) return false
  remember(key, Date.now(), 'sessionStorage')
  // Without storage it would reload for ever.
  if (recall(key, 'sessionStorage') === undefined) return false
  location.reload()
  return true
}
