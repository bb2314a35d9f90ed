/** Never interpreted by a shell. */
export interface Command {
  readonly argv: readonly [string, ...string[]]
  /** Unique on its machine, so that a run is found again after a crash; letters, digits and dashes. */
  readonly run: string
  readonly timeoutMs: number
}

export interface RunOptions {
  /** Ends the command's process group. */
  readonly signal: AbortSignal
  readonly onLine: (source: 'out' | 'err', text: string) => void
}

export type Outcome =
  | { readonly how: 'exited'; readonly code: number }
  | { readonly how: 'killed'; readonly signal: string }
  | { readonly how: 'timed-out' }
  | { readonly how: 'cancelled' }

export interface Runner {
  /** @throws {RunnerError} if the machine cannot be reached or is lost */
  run(command: Command, options: RunOptions): Promise<Outcome>
  /**
   * Ends the processes of a run whose starter died. After `succeeded` (exit code 0) the command must not run again.
   * @throws {RunnerError}
   */
  recover(run: string): Promise<'succeeded' | 'none'>
  /** Removes the state of runs whose names have the prefix. @throws {RunnerError} */
  forget(prefix: string): Promise<void>
}

/** A machine could not be reached. The message is a sentence for staff that names it. */
export class RunnerError extends Error {
  override readonly name = 'RunnerError'
}

export interface NodeAddress {
  readonly name: string
  readonly plesk_fqdn: string
}

export interface Runners {
  /** Runs commands on Kustos' own machine. */
  readonly controller: Runner
  node(node: NodeAddress): Runner
  close(): Promise<void>
}
