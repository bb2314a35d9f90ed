import type { Message } from '../message.ts'

/** Never interpreted by a shell. */
export interface Command {
  readonly argv: readonly [string, ...string[]]
  /** Unique on its machine, so that a run is found again after a crash; letters, digits and dashes. */
  readonly runId: string
  readonly timeoutMs: number
}

export interface RunOptions {
  /** Ends the command's process group. */
  readonly signal: AbortSignal
  readonly onLine: (source: 'out' | 'err', text: string) => void
}

export type Outcome =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'killed'; readonly signal: string }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'cancelled' }

export interface Runner {
  /** @throws {RunnerError} if the machine cannot be reached or is lost */
  run(command: Command, options: RunOptions): Promise<Outcome>
  /**
   * Ends the processes of a run whose starter died. After `succeeded` (exit code 0) the command must not run again.
   * @throws {RunnerError}
   */
  recover(runId: string): Promise<'succeeded' | 'none'>
  /** Removes the state of runs whose ids have the prefix. @throws {RunnerError} */
  forget(prefix: string): Promise<void>
}

export type RunnerFailure =
  | { readonly code: 'ssh_not_set_up' }
  | Message<`node_${'name_unusable' | 'end_unknown' | 'silent'}` | 'ssh_not_set_up_for', 'node'>
  | Message<`node_${'folder_missing' | 'shell_missing' | 'not_cleaned_up'}`, 'node' | 'reason'>
  | Message<'node_cannot_start', 'node' | 'folder' | 'reason'>
  | Message<'node_outcome_unknown', 'node' | 'reply'>
  | Message<`ssh_${'key_unusable' | 'key_unreadable' | 'host_keys_unreadable'}`, 'node' | 'file' | 'reason'>
  | Message<'ssh_unreachable', 'node' | 'user' | 'host' | 'port' | 'reason'>
  | Message<`ssh_${'not_started' | 'lost' | 'lost_while_running'}`, 'node' | 'reason'>

/** A machine could not be reached. */
export class RunnerError extends Error {
  override readonly name = 'RunnerError'
  readonly codedMessage: RunnerFailure

  constructor(codedMessage: RunnerFailure, options?: ErrorOptions) {
    super(JSON.stringify(codedMessage), options)
    this.codedMessage = codedMessage
  }
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
