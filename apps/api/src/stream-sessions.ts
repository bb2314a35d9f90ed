import type { CurrentUser } from '@kustos/contract/users'

/** How often a quiet stream sends a comment and reads its user again. */
const heartbeatMs = 15_000

type ReadUser = () => Promise<CurrentUser | null>

/** What the event streams of a session have in common: their heartbeat, and each read of the user. */
interface StreamSession {
  readonly readUser: ReadUser
  readonly beats: Set<() => void>
  readonly heartbeat: NodeJS.Timeout
}

export function createStreamSessions() {
  const sessions = new Map<string, StreamSession>()

  function open(id: string, read: ReadUser): StreamSession {
    const beats = new Set<() => void>()
    const heartbeat = setInterval(() => {
      for (const beat of beats) beat()
    }, heartbeatMs)
    const session = { readUser: shareRead(read), beats, heartbeat }
    sessions.set(id, session)
    return session
  }

  return {
    /**
     * Adds a stream to its session.
     * @param read reads the user of the session, for all of its streams
     * @param beat called with each heartbeat
     */
    join(id: string, read: ReadUser, beat: () => void) {
      const { readUser, beats, heartbeat } = sessions.get(id) ?? open(id, read)
      beats.add(beat)
      return {
        readUser,
        leave(): void {
          if (!beats.delete(beat) || beats.size > 0) return
          clearInterval(heartbeat)
          sessions.delete(id)
        },
      }
    },
  }
}

/** Calls share a read. Those that come while it runs share the next one, because it may miss what they were told of. */
function shareRead<T>(read: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> = Promise.resolve()
  let next: Promise<T> | null = null
  return () => {
    next ??= running.then(() => {
      next = null
      const current = read()
      running = current.catch(() => undefined)
      return current
    })
    return next
  }
}
