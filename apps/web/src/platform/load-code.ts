import { lazy } from 'react'
import { ApiError, clientError } from './api-error.ts'
import { sleep } from './coalesce.ts'
import { recall, remember } from './storage.ts'

const key = 'kustos.reloadedAt'
const reloadAgainAfterMs = 60_000

/** Whether a file of this build could not be loaded, in the words of Chromium, Firefox and Safari. */
const isMissingCode = (error: unknown): boolean =>
  error instanceof Error &&
  /dynamically imported module|importing a module script failed|unable to preload css/i.test(error.message)

async function isServerReachable(): Promise<boolean> {
  try {
    return (await fetch('/', { cache: 'no-store' })).ok
  } catch {
    return false
  }
}

/** Reloads the page, unless this tab did so within the last minute. @returns whether it reloads */
function reloadOnce(): boolean {
  const reloadedAt = recall(key, 'sessionStorage')
  if (typeof reloadedAt === 'number' && Date.now() - reloadedAt < reloadAgainAfterMs) return false
  remember(key, Date.now(), 'sessionStorage')
  // Without storage it would reload forever.
  if (recall(key, 'sessionStorage') === undefined) return false
  location.reload()
  return true
}

/**
 * Loads code of this build on demand. An upgrade removes the code of the version that is open: then the page reloads once.
 * @throws {ApiError} `unreachable`, or `new_version` if the code is still missing after a reload
 */
export async function loadCode<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load()
  } catch (error) {
    if (!isMissingCode(error)) throw error
    if (!(await isServerReachable())) throw clientError('unreachable')
    if (!reloadOnce()) throw clientError('new_version')
    return new Promise(() => {})
  }
}

/** When code that the first screen works without is loaded. */
export const loadDelayMs = 1500
const retryDelayMs = 5000

/**
 * Loads code that the screen works without for now: if that fails, as without a connection, it is tried again.
 * @throws errors that are not worth another attempt
 */
export async function retryLoad<T>(
  load: () => Promise<T>,
  isTemporary: (error: unknown) => boolean = () => true,
): Promise<T> {
  for (;;) {
    try {
      return await load()
    } catch (error) {
      if (!isTemporary(error)) throw error
      await sleep(retryDelayMs)
    }
  }
}

const isUnreachable = (error: unknown) => error instanceof ApiError && error.code === 'unreachable'

/**
 * A part of a screen whose code is loaded when it is first shown. Without a connection it appears once that is back: an error would
 * replace the whole screen, and with it what was typed there.
 */
export const lazyPart: typeof lazy = (load) => lazy(() => retryLoad(() => loadCode(load), isUnreachable))
