import { contextOf } from '@kustos/domain/context'
import type { FastifyInstance } from 'fastify'
import type { Services } from './contract.ts'

/** Milliseconds between two looks at what is to be told. */
const every = 60_000

/** Has the audit log told every minute, and at the end, what was counted rather than written. */
export function tellCounted(
  app: FastifyInstance,
  { database, now, denials, refusedSignIns }: Services,
): void {
  const context = contextOf(database, null, now)
  async function tell(isLast: boolean): Promise<void> {
    for (const counted of [denials, refusedSignIns])
      await counted
        .tellCounted(context, isLast)
        // It stays counted for the next time.
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
