import { createContext } from '@kustos/domain/platform/context'
import type { FastifyInstance } from 'fastify'
import type { Services } from './contract.ts'

const every = 60_000

/** Writes counted events to the audit log every minute and at the end. */
export function tellCounted(
  app: FastifyInstance,
  { database, now, denials, refusedSignIns }: Services,
): void {
  const context = createContext(database, null, now)
  async function tell(isLast: boolean): Promise<void> {
    for (const counted of [denials, refusedSignIns])
      await counted
        .flushCounts(context, isLast)
        // The counts are kept for the next time.
        .catch((error: unknown) =>
          app.log.error({ err: error }, 'what was counted is missing in the audit log'),
        )
  }
  const timer = setInterval(() => void tell(false), every)
  timer.unref()
  app.addHook('onClose', async () => {
    clearInterval(timer)
    await tell(true)
  })
}
