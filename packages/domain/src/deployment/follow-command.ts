import { setTimeout as sleep } from 'node:timers/promises'
import { type Outcome, RunnerError } from '@kustos/clients/runner'
import { type Message, message } from '@kustos/contract/messages'
import type { StepCommand } from './command.ts'

/** A machine whose connection breaks during a command is asked this often for the command. */
const recoveryAttempts = 12
const recoveryIntervalMs = 5_000
/** A connection that has lasted this long is not counted as an attempt. */
const recoveryTimeoutMs = 60_000

export type Followed =
  | { readonly state: 'ended'; readonly outcome: Exclude<Outcome, { kind: 'detached' }> }
  /** It was not started, or has vanished. The reason is that of the connection that broke before, if any. */
  | { readonly state: 'absent'; readonly reason: Message | null }
  /** It may still run. */
  | { readonly state: 'left'; readonly reason: Message }

export interface FollowCommandOptions {
  /** Stops following. */
  readonly detach: AbortSignal
  /** Called when a connection has broken, before the next attempt. */
  onBroken(reason: Message, isFirst: boolean): Promise<void>
}

/**
 * Follows a command to its end. If the connection breaks, attaches to the command again.
 * @param connect starts the command, or attaches to it
 */
export async function followCommand(
  command: StepCommand,
  connect: StepCommand['attach'],
  { detach, onBroken }: FollowCommandOptions,
): Promise<Followed> {
  let reason: Message | null = null
  for (let attempt = 0, attach = connect; ; attach = command.attach) {
    const connectedAt = performance.now()
    try {
      const outcome = await attach()
      if (outcome === null) return { state: 'absent', reason }
      if (outcome.kind === 'detached') return { state: 'left', reason: message('step_interrupted') }
      return { state: 'ended', outcome }
    } catch (error) {
      if (!(error instanceof RunnerError)) throw error
      if (performance.now() - connectedAt > recoveryTimeoutMs) attempt = 0
      attempt += 1
      if (attempt === 1) reason = error.codedMessage
      await onBroken(error.codedMessage, attempt === 1)
      if (attempt > recoveryAttempts || detach.aborted)
        return {
          state: 'left',
          reason: message('command_end_unknown', { reason: reason ?? error.codedMessage }),
        }
      await sleep(recoveryIntervalMs, undefined, { signal: detach }).catch(() => undefined)
    }
  }
}
