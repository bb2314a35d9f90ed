import { type DestinationStream, type Logger, pino } from 'pino'
import type { Configuration } from '../configuration.ts'
import { bindingsHere } from './around.ts'
import { facts } from './facts.ts'
import { hiding } from './secrets.ts'

export interface LogOptions {
  /** The program's. */
  readonly name: string
  readonly level: Configuration['LOG_LEVEL']
  /** Values that no line may hold (`secretsOf`), besides what looks like a secret. */
  readonly secrets: readonly string[]
  /** Standard output unless told otherwise. */
  readonly to?: DestinationStream
}

/** The log of a program: a JSON line for each thing told, without secrets, errors down to their causes. */
export function openLog({ name, level, secrets, to }: LogOptions): Logger {
  const options = {
    name,
    level,
    mixin: bindingsHere,
    serializers: {
      err: facts,
      // What the framework would tell of these by itself holds the query, and who asked.
      req: (request: { method?: unknown }) => ({ method: request.method }),
      res: (reply: { statusCode?: unknown }) => ({ status: reply.statusCode }),
    },
    hooks: { streamWrite: hiding(secrets) },
  }
  return to ? pino(options, to) : pino(options)
}
