import { AsyncLocalStorage } from 'node:async_hooks'

type Bindings = Readonly<Record<string, string>>

const around = new AsyncLocalStorage<Bindings>()

/** Does some work, and every line that is logged meanwhile on its behalf says so, wherever it comes from. */
export const logWith = <T>(bindings: Bindings, work: () => T): T =>
  around.run({ ...around.getStore(), ...bindings }, work)

/** What lines of this moment say besides; a new object each, since pino writes into it. */
export const bindingsHere = (): Record<string, string> => ({ ...around.getStore() })
