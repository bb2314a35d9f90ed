import type { Message } from '../message.ts'

/** Never interpreted by a shell. */
export interface Command {
  readonly argv: readonly [string, ...string[]]
  /** Unique on its machine, so that a run is found again after a crash; letters, digits and dashes. */
  readonly runId: string
  readonly timeoutMs: number
  /** In octal; by default 077, so that other users of the machine cannot read what the command writes. */
  readonly umask?: string | undefined
}

export interface FollowOptions {
  /** Ends the command's process group. */
  readonly signal: AbortSignal
  /** Stops following the command, which runs on. */
  readonly detach?: AbortSignal
  readonly onLine: (source: 'out' | 'err', text: string) => void
}

export interface RunOptions extends FollowOptions {
  /**
   * Runs when the run is reserved on its machine and not yet started. From then on `recover` prevents the start, so a
   * caller that checks here whether it still may start the command cannot be overtaken between the check and the start.
   */
  readonly beforeStart?: () => Promise<void>
}

export type Outcome =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'killed'; readonly signal: string }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'cancelled' }
  /** It may still run, and `attach` follows it from its beginning. Its last line may have come in part. */
  | { readonly kind: 'detached' }

export interface Runner {
  /**
   * Runs a command, which keeps running when its starter dies or loses the connection.
   * @throws {RunnerError} if the machine cannot be reached or is lost, or has such a run already
   */
  run(command: Command, options: RunOptions): Promise<Outcome>
  /**
   * Follows a command that was started before, over again from its first line. Its timeout counts from its start. Prevents
   * the start of a run that is only reserved.
   * @returns null for a command that was not started, or has ended without an exit code: `recover` ends what is left of it
   * @throws {RunnerError}
   */
  attach(command: Pick<Command, 'runId' | 'timeoutMs'>, options: FollowOptions): Promise<Outcome | null>
  /**
   * Ends the processes of runs whose starter died, and prevents the start of those that are only reserved. After
   * `succeeded` (one of them had exit code 0) the command must not run again.
   * @throws {RunnerError}
   */
  recover(...runIds: readonly string[]): Promise<'succeeded' | 'none'>
  /**
   * Returns those of the runs that still run, and leaves them alone. Prevents the start of those that are only reserved.
   * @throws {RunnerError}
   */
  findRunning(...runIds: readonly string[]): Promise<readonly string[]>
  /** Removes the state of runs whose ids have one of the prefixes. @throws {RunnerError} */
  forget(...prefixes: readonly string[]): Promise<void>
  /** The same, only for runs that nothing was written to for that long. @throws {RunnerError} */
  forgetOlderThan(minutes: number, ...prefixes: readonly string[]): Promise<void>
}

export type RunnerFailure =
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
  /** Host name of its panel. */
  readonly plesk_fqdn: string
  /** If null, the panel's host is used. */
  readonly ssh_host?: string | null
  readonly ssh_port?: number | null
  /** If null, the runners' default user is used. */
  readonly ssh_user?: string | null
  /** The only accepted one, in the format of OpenSSH; null for those of known_hosts. */
  readonly host_key?: string | null
}

export interface Runners {
  node(node: NodeAddress): Runner
  /**
   * Returns the host key that the node presents, in the format of OpenSSH, without trusting it; null on this machine.
   * @throws {RunnerError} if it cannot be reached
   */
  readHostKey(node: NodeAddress): Promise<string | null>
  close(): Promise<void>
}
