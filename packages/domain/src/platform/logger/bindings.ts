import { AsyncLocalStorage } from 'node:async_hooks'

type Bindings = Readonly<Record<string, string>>

const bindingsStorage = new AsyncLocalStorage<Bindings>()

/** Adds bindings to every line that is logged by the work, however deep. */
export const logWith = <T>(bindings: Bindings, work: () => T): T =>
  bindingsStorage.run({ ...bindingsStorage.getStore(), ...bindings }, work)

/** @returns a new object each time, since pino modifies it */
export const currentBindings = (): Record<string, string> => ({ ...bindingsStorage.getStore() })
