import { AsyncLocalStorage } from 'node:async_hooks'
import { type DestinationStream, type Logger, pino } from 'pino'
import type { Configuration } from '../configuration/index.ts'
import { createRedactor } from '../masking/index.ts'
import { serializeError } from './serialize-error.ts'

const bindingsStorage = new AsyncLocalStorage<Readonly<Record<string, string>>>()

/** Adds bindings to every line that is logged by the work, however deep. */
export const logWith = <T>(bindings: Readonly<Record<string, string>>, work: () => T): T =>
  bindingsStorage.run({ ...bindingsStorage.getStore(), ...bindings }, work)

export interface LogOptions {
  readonly name: string
  readonly level: Configuration['LOG_LEVEL']
  /** Values to redact (`secretsOf`), besides everything that looks like a secret. */
  readonly secrets: readonly string[]
  /** Standard output by default. */
  readonly to?: DestinationStream
}

/** Opens a JSON log that redacts secrets and includes the causes of errors. */
export function openLog({ name, level, secrets, to }: LogOptions): Logger {
  const options = {
    name,
    level,
    // Pino modifies the object.
    mixin: () => ({ ...bindingsStorage.getStore() }),
    serializers: {
      err: serializeError,
      // Fastify's own serializers include the query and the client's address.
      req: (request: { method?: unknown }) => ({ method: request.method }),
      res: (reply: { statusCode?: unknown }) => ({ status: reply.statusCode }),
    },
    hooks: { streamWrite: createRedactor(secrets) },
  }
  return to ? pino(options, to) : pino(options)
}
