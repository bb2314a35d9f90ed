import { setTimeout as sleep } from 'node:timers/promises'
import { type ChangedEvent, type EventList, eventLists } from '@kustos/contract/events'
import { can } from '@kustos/contract/permissions'
import type { CurrentUser } from '@kustos/contract/users'

/** Between two looks at the user, in milliseconds: of a burst of changes, the first and the last are looked at. */
const pause = 250
/** Before the next look where the database did not answer, in milliseconds: twice as long each time, up to the most. */
const pauseAfterError = { first: 1_000, most: 5_000 }
/** Of events that wait for a look at the user. With more, lists are told of as a whole. */
const mostHeld = 500

export interface StreamOptions {
  /** As read when the stream was asked for. */
  readonly user: CurrentUser
  /** The user as they are now; null where they, or their session, are gone. */
  readUser(): Promise<CurrentUser | null>
  /** Told the events that the user may hear of. */
  send(event: ChangedEvent): void
  /** Told once, when the user is gone. */
  onGone(): void
  onError(error: unknown): void
}

export interface EventStream {
  hear(event: ChangedEvent | 'missed some'): void
  /** Reads the user anew. */
  look(): void
  end(): void
}

/**
 * Cuts events to what their hearer may see at that moment. What may change the hearer's rights has the user read anew
 * before anything further is told, so that no event slips out by rights that have been taken.
 */
export function eventStream({ user: first, readUser, send, onGone, onError }: StreamOptions): EventStream {
  let user = first
  let state: 'idle' | 'looking' | 'ended' = 'idle'
  let isDue = false
  let failures = 0
  let held = new Map<string, ChangedEvent>()

  const tell = (event: ChangedEvent) => {
    if (state !== 'ended' && can(user, eventLists[event.list])) send(event)
  }

  const hold = ({ list, id }: ChangedEvent) => {
    const event = id === undefined || held.size >= mostHeld ? { list } : { list, id }
    held.set(`${event.list} ${event.id ?? ''}`, event)
  }

  async function lookOnce(): Promise<boolean> {
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
      // Of a role's permissions its holders hear here: they may not hear of roles.
      if (rightsOf(fresh) !== rightsOf(user)) waiting.set('account', { list: 'account', id: fresh.id })
      user = fresh
      failures = 0
      for (const event of waiting.values()) tell(event)
    } catch (error) {
      onError(error)
      isDue = true
      for (const event of waiting.values()) hold(event)
      await sleep(Math.min(pauseAfterError.first * 2 ** failures++, pauseAfterError.most))
    }
    return true
  }

  const isEnded = () => state === 'ended'

  async function lookWhileDue(): Promise<void> {
    while (await lookOnce()) {
      if (isDue) await sleep(pause)
      if (isDue && !isEnded()) continue
      if (state === 'looking') state = 'idle'
      for (const event of held.values()) tell(event)
      held = new Map()
      return
    }
  }

  function look() {
    isDue = true
    if (state !== 'idle') return
    state = 'looking'
    lookWhileDue().catch(onError)
  }

  return {
    hear(event) {
      if (event === 'missed some') {
        for (const list of Object.keys(eventLists) as EventList[])
          hold(list === 'account' ? { list, id: user.id } : { list })
        return look()
      }
      if (event.list === 'account' && event.id !== user.id) return
      const touchesRights = event.list === 'account' || event.list === 'roles'
      if (state === 'idle' && !touchesRights) return tell(event)
      hold(event)
      if (touchesRights) look()
    },
    look,
    end() {
      state = 'ended'
      held.clear()
    },
  }
}

const rightsOf = (user: CurrentUser) => JSON.stringify([user.roles, user.permissions])
