import type { ApiClient } from '../api-client.ts'
import type { LoggedFixtures } from '../logged-fixtures.ts'

export interface LoggedCall {
  readonly by?: ApiClient
  readonly causer?: number
  readonly params?: Readonly<Record<string, number | string>>
  readonly body?: unknown
  /** The expected log entry. */
  readonly entry: object
}

/** Calls by the names of their routes. Each makes what it needs when it is asked for. */
export type BuildCalls = (fixtures: LoggedFixtures) => Readonly<Record<string, () => Promise<LoggedCall>>>
