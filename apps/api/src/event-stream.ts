import { setTimeout as sleep } from 'node:timers/promises'
import { type ChangedEvent, type EventList, eventLists, isPersonal } from '@kustos/contract/events'
import { can } from '@kustos/contract/permissions'
import type { CurrentUser } from '@kustos/contract/users'

/** Between two reads of the user: a burst of changes reads the user at its start and end. */
const pauseMs = 250
const pauseAfterErrorMs = { first: 1_000, most: 5_000 }
/** The limit of events that wait for the user. Beyond it whole lists are reported as changed. */
const maxHeld = 500

export interface StreamOptions {
  /** The user at the start of the stream. */
  readonly user: CurrentUser
  /** Reads the current user; null if the user or the session no longer exists. */
  readUser(): Promise<CurrentUser | null>
  /** Called for the events that the user may see. */
  send(event: ChangedEvent): void
  /** Called once, when the user no longer exists. */
  onGone(): void
  onError(error: unknown): void
}

/**
 * Filters events by the current permissions of the user. An event that may change them makes the user be read again before
 * anything else is passed on, so that no event is sent by revoked permissions.
 */
export function createEventStream({ user: first, readUser, send, onGone, onError }: StreamOptions) {
  let user = first
  let state: 'idle' | 'refreshing' | 'ended' = 'idle'
  let isDue = false
  let failures = 0
  let held = new Map<string, ChangedEvent>()

  const forward = (event: ChangedEvent) => {
    if (state !== 'ended' && can(user, eventLists[event.list])) send(event)
  }

  const hold = ({ list, id }: ChangedEvent) => {
    const event = id === undefined || held.size >= maxHeld ? { list } : { list, id }
    held.set(`${event.list} ${event.id ?? ''}`, event)
  }

  async function refreshOnce(): Promise<boolean> {
    isDue = false
    const waiting = held
    held = new Map()
    try {
      const fresh = await readUser()
      if (isEnded()) return false
      if (fresh === null) {
        state = 'ended'
        onGone()
        return false
      }
      // The holders of a role may not see roles, but have to learn of their permissions.
      if (serializePermissions(fresh) !== serializePermissions(user))
        waiting.set('account', { list: 'account', id: fresh.id })
      user = fresh
      failures = 0
      for (const event of waiting.values()) forward(event)
    } catch (error) {
      onError(error)
      isDue = true
      for (const event of waiting.values()) hold(event)
      await sleep(Math.min(pauseAfterErrorMs.first * 2 ** failures++, pauseAfterErrorMs.most))
    }
    return true
  }

  const isEnded = () => state === 'ended'

  async function refreshWhileDue(): Promise<void> {
    while (await refreshOnce()) {
      if (isDue) await sleep(pauseMs)
      if (isDue && !isEnded()) continue
      if (state === 'refreshing') state = 'idle'
      for (const event of held.values()) forward(event)
      held = new Map()
      return
    }
  }

  function refreshUser(): void {
    isDue = true
    if (state !== 'idle') return
    state = 'refreshing'
    refreshWhileDue().catch(onError)
  }

  return {
    receive(event: ChangedEvent | 'missed some') {
      if (event === 'missed some') {
        for (const list of Object.keys(eventLists) as EventList[])
          hold(isPersonal(list) ? { list, id: user.id } : { list })
        return refreshUser()
      }
      if (isPersonal(event.list) && event.id !== user.id) return
      const touchesRights = event.list === 'account' || event.list === 'roles'
      if (state === 'idle' && !touchesRights) return forward(event)
      hold(event)
      if (touchesRights) refreshUser()
    },
    refreshUser,
    end(): void {
      state = 'ended'
      held.clear()
    },
  }
}

const serializePermissions = (user: CurrentUser) => JSON.stringify([user.roles, user.permissions])
