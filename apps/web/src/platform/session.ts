import { authRoutes, type Login } from '@kustos/contract/auth'
import { type CurrentUser, currentUserRoute } from '@kustos/contract/users'
import { useSyncExternalStore } from 'react'
import { ApiError } from './api-error.ts'
import { call, clearResponseCache, onUnauthorized } from './client.ts'
import { isRecord, recall, remember } from './storage.ts'
import { isCurrentUser } from './stored-user.ts'

/** `ended` if the server no longer knows the session although nobody signed out in this browser. */
export type Session =
  /** Nothing is stored, and the server has not responded yet. */
  | { readonly state: 'unknown' }
  | { readonly state: 'signed-out'; readonly ended: boolean }
  | { readonly state: 'signed-in'; readonly user: CurrentUser }

const key = 'kustos.session'
const listeners = new Set<() => void>()
let session: Session = readStored()

function readStored(): Session {
  const stored = recall(key)
  if (!isRecord(stored)) return { state: 'unknown' }
  if (stored.authenticated === false) return { state: 'signed-out', ended: stored.ended === true }
  // A user stored by another version may lack a field. Then the server decides.
  return isCurrentUser(stored.user) ? { state: 'signed-in', user: stored.user } : { state: 'unknown' }
}

function setSession(next: Session) {
  const before = signedInUser()?.id
  session = next
  if (signedInUser()?.id !== before) clearResponseCache()
  for (const listener of listeners) listener()
}

function storeSession(next: Session) {
  const user = next.state === 'signed-in' ? next.user : null
  const ended = next.state === 'signed-out' && next.ended
  remember(key, { authenticated: user !== null, user, ...(ended && { ended }) })
  setSession(next)
}

// Another tab signed in or out.
addEventListener('storage', (event) => {
  if (event.key === key) setSession(readStored())
})

let signingOut = false

onUnauthorized(() => {
  if (session.state === 'signed-out') return
  storeSession({ state: 'signed-out', ended: session.state === 'signed-in' && !signingOut })
})

/** Calls the listener whenever the session changes. @returns a function that unsubscribes */
export function onSession(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Calls the listener when another user is signed in than before, or nobody any more. */
export function onUserChange(listener: () => void) {
  let id = signedInUser()?.id
  onSession(() => {
    const before = id
    id = signedInUser()?.id
    if (id !== before) listener()
  })
}

/** The signed-in user, for use outside of components. */
export const signedInUser = (): CurrentUser | null => (session.state === 'signed-in' ? session.user : null)

/** Whether the session expired or was ended elsewhere: unsaved input is then worth keeping. */
export const sessionEnded = (): boolean => session.state === 'signed-out' && session.ended

export const useSession = (): Session => useSyncExternalStore(onSession, () => session)

export function useUser(): CurrentUser | null {
  const now = useSession()
  return now.state === 'signed-in' ? now.user : null
}

const identity = () => signedInUser()?.id ?? session.state

/** Asks the server who is signed in. While it is unreachable, a session that this browser knows continues. */
export async function refreshUser(): Promise<void> {
  const before = identity()
  try {
    const user = await call(currentUserRoute, {})
    // The response is older than a sign-in or a sign-out meanwhile.
    if (identity() !== before) return
    // Every open screen would render again.
    if (session.state === 'signed-in' && JSON.stringify(session.user) === JSON.stringify(user)) return
    storeSession({ state: 'signed-in', user })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    // Not stored, so that the server is asked again after a reload: only a 401 says that nobody is signed in.
    if (session.state === 'unknown') setSession({ state: 'signed-out', ended: false })
  }
}

/** Called once. Later, every response shows whether the session still exists. */
export function startSession() {
  if (session.state !== 'signed-out') void refreshUser()
}

/** @throws {ApiError} 401 for wrong credentials, 429 after too many attempts */
export async function signIn(credentials: Login): Promise<void> {
  await call(authRoutes.signIn, { body: credentials })
  storeSession({ state: 'signed-in', user: await call(currentUserRoute, {}) })
}

/** Ends the session on the server, then here. */
export async function signOut(): Promise<void> {
  signingOut = true
  try {
    await call(authRoutes.signOut, {})
  } catch (error) {
    // The session has already ended.
    if (!(error instanceof ApiError && error.status === 401)) throw error
  } finally {
    signingOut = false
  }
  storeSession({ state: 'signed-out', ended: false })
}
