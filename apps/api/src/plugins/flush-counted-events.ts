import { createContext } from '@kustos/domain/platform/context'
import type { FastifyInstance } from 'fastify'
import type { Services } from './contract.ts'

const flushIntervalMs = 60_000

/** Writes counted events to the audit log every minute and at the end. */
export function flushCountedEvents(app: FastifyInstance, { database, now, denials }: Services): void {
  const context = createContext(database, null, now)
  const flush = (isLast: boolean): Promise<void> =>
    denials
      .flushCounts(context, isLast)
      // The counts are kept for the next time.
      .catch((error: unknown) =>
        app.log.error({ err: error }, 'counted events are missing from the audit log'),
      )
  const timer = setInterval(() => void flush(false), flushIntervalMs)
  timer.unref()
  app.addHook('onClose', async () => {
    clearInterval(timer)
    await flush(true)
  })
}
