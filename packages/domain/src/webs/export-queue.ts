import { message } from '@kustos/contract/messages'
import { DomainError } from '../platform/errors.ts'

/** The limit for one user, besides the export that runs. */
const maxWaiting = 4

interface Turn {
  readonly user: number | undefined
  begin(): void
}

/** Gives turns to one export at a time. Users take turns, so that one who asks for many delays nobody else by more than one. */
export function createExportQueue(retryAfterSeconds: number) {
  let turns: readonly Turn[] = []
  let current: Turn | undefined

  function beginNext(previous?: Turn) {
    current = turns.find(({ user }) => user !== previous?.user) ?? turns[0]
    turns = turns.filter((turn) => turn !== current)
    current?.begin()
  }

  /**
   * Runs the work when it is its turn.
   * @throws DomainError too-many if too many exports of the user are waiting; the signal's reason if it is aborted before
   */
  return async <T>(user: number | undefined, signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    signal.throwIfAborted()
    const own = [...turns, ...(current === undefined ? [] : [current])].filter((turn) => turn.user === user)
    if (own.length > maxWaiting)
      throw new DomainError('too-many', message('exports_busy'), { retryAfterSeconds })
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const turn = { user, begin: resolve }
    const leave = () => {
      turns = turns.filter((other) => other !== turn)
      if (current !== turn) reject(signal.reason)
    }
    signal.addEventListener('abort', leave, { once: true })
    turns = [...turns, turn]
    if (current === undefined) beginNext()
    try {
      await promise
      return await work()
    } finally {
      signal.removeEventListener('abort', leave)
      if (current === turn) beginNext(turn)
    }
  }
}
