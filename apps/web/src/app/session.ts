import { authRoutes, type Login } from '@kustos/contract/auth'
import { type CurrentUser, currentUser, currentUserRoute } from '@kustos/contract/users'
import { useSyncExternalStore } from 'react'
import { z } from 'zod'
import { ApiError } from './api-error.ts'
import { call, forgetAnswers, whenSignedOut } from './client.ts'
import { recall, remember } from './storage.ts'

/**
 * `unknown` until the server was asked, where this browser remembers nothing; `ended` where the server knew a session no
 * more that nobody had signed out of here.
 */
export type Session =
  | { readonly state: 'unknown' }
  | { readonly state: 'signed-out'; readonly ended: boolean }
  | { readonly state: 'signed-in'; readonly user: CurrentUser }

const key = 'kustos.session'
const storedSession = z.union([
  z.object({ authenticated: z.literal(false), user: z.null(), ended: z.boolean().default(false) }),
  z.object({ authenticated: z.literal(true), user: currentUser }),
])
const listeners = new Set<() => void>()
let session: Session = remembered()

function remembered(): Session {
  // A user saved by another version of the console may lack a field; then the server is asked.
  const stored = storedSession.safeParse(recall(key))
  if (!stored.success) return { state: 'unknown' }
  const { data } = stored
  return data.user === null
    ? { state: 'signed-out', ended: data.ended }
    : { state: 'signed-in', user: data.user }
}

function become(next: Session) {
  session = next
  const user = next.state === 'signed-in' ? next.user : null
  if (user === null) forgetAnswers()
  const ended = next.state === 'signed-out' && next.ended
  remember(key, { authenticated: user !== null, user, ...(ended && { ended }) })
  for (const listener of listeners) listener()
}

// Another tab signed in or out.
addEventListener('storage', (event) => {
  if (event.key !== key) return
  session = remembered()
  if (session.state !== 'signed-in') forgetAnswers()
  for (const listener of listeners) listener()
})

let signingOut = false

whenSignedOut(() => {
  if (session.state === 'signed-out') return
  become({ state: 'signed-out', ended: session.state === 'signed-in' && !signingOut })
})

/** Runs with every change of the session. @returns how to end it */
export function onSession(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const currentSession = (): Session => session

/** The signed-in user, outside of components. */
export const signedInUser = (): CurrentUser | null => (session.state === 'signed-in' ? session.user : null)

/** Whether the session was ended by somebody else, or by time: what was being typed is worth keeping then. */
export const sessionEnded = (): boolean => session.state === 'signed-out' && session.ended

export const useSession = (): Session => useSyncExternalStore(onSession, currentSession)

/** The signed-in user. The screens inside the shell only exist while there is one. */
export function useUser(): CurrentUser | null {
  const now = useSession()
  return now.state === 'signed-in' ? now.user : null
}

/**
 * Asks the server who is signed in. A server that cannot say (it restarts, say) ends no session that
 * this browser knows of.
 */
export async function refreshUser(): Promise<void> {
  try {
    const user = await call(currentUserRoute, {})
    // Every open screen reads it: the same once more is no news.
    if (session.state === 'signed-in' && JSON.stringify(session.user) === JSON.stringify(user)) return
    become({ state: 'signed-in', user })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (session.state === 'unknown') become({ state: 'signed-out', ended: false })
  }
}

/** Once, at the start: every later call tells by its answer whether the session still stands. */
export function startSession() {
  if (session.state !== 'signed-out') void refreshUser()
}

/** @throws {ApiError} 401 for wrong credentials, 429 after too many of them */
export async function signIn(credentials: Login): Promise<void> {
  await call(authRoutes.signIn, { body: credentials })
  become({ state: 'signed-in', user: await call(currentUserRoute, {}) })
}

/** Ends the session on the server, then here. */
export async function signOut(): Promise<void> {
  signingOut = true
  try {
    await call(authRoutes.signOut, {})
  } catch (error) {
    // Already ended there: that is what was wanted.
    if (!(error instanceof ApiError && error.status === 401)) throw error
  } finally {
    signingOut = false
  }
  become({ state: 'signed-out', ended: false })
}
