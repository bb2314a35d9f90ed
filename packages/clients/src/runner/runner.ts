/** A command on a machine. No shell ever reads it. */
export interface Command {
  readonly argv: readonly [string, ...string[]]
  /** Names this run among all on its machine; letters, digits and dashes. A run is found again by it after a crash. */
  readonly run: string
  /** In milliseconds; the process group is ended after it. */
  readonly timeout: number
}

export interface RunOptions {
  /** Ends the command, its process group too. */
  readonly signal: AbortSignal
  /** Told of each line as it comes, without its line end. */
  readonly onLine: (source: 'out' | 'err', text: string) => void
}

export type Outcome =
  | { readonly how: 'exited'; readonly code: number }
  /** Ended by a signal that was not ours. */
  | { readonly how: 'killed'; readonly signal: string }
  | { readonly how: 'timed-out' }
  | { readonly how: 'cancelled' }

/** Carries commands out on one machine. */
export interface Runner {
  /**
   * @throws {RunnerError} where the machine cannot be reached or is lost meanwhile
   */
  run(command: Command, options: RunOptions): Promise<Outcome>
  /**
   * Clears up after a run whose starter died: what still lives of it is ended.
   * @returns whether it had come to its end with exit code 0, so that it must not run again
   * @throws {RunnerError}
   */
  recover(run: string): Promise<'succeeded' | 'none'>
  /** Removes what is kept of runs whose names start so. @throws {RunnerError} */
  forget(prefix: string): Promise<void>
}

/** The machine could not be asked. The message is a sentence for staff that names it. */
export class RunnerError extends Error {
  override readonly name = 'RunnerError'
}

export interface NodeAddress {
  readonly name: string
  readonly plesk_fqdn: string
}

export interface Runners {
  /** The machine that Kustos runs on. */
  readonly controller: Runner
  node(node: NodeAddress): Runner
  close(): Promise<void>
}
