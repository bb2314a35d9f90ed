import { randomUUID } from 'node:crypto'
import {
  type NodeAddress,
  type Outcome,
  type Runner,
  RunnerError,
  type Runners,
} from '@kustos/clients/runner'
import type { Mask } from '../platform/masking/index.ts'

const defaultTimeoutMs = 45_000
const maxLines = 100_000

export interface ReadOptions {
  readonly mask: Mask
  readonly signal: AbortSignal
  readonly timeoutMs?: number
}

/** Of a command that was killed, such as by its timeout. */
export const killedCode = 255

export interface Output {
  /** `killedCode` for a command that was killed. */
  readonly code: number
  /** The lines of stdout; of stderr as well, and without secrets, if the command failed. */
  readonly lines: readonly string[]
}

/**
 * Runs a command that only reads, to its end.
 * @param prefix of the run's id
 * @throws {RunnerError}; the signal's reason
 */
export async function readOutput(
  runner: Runner,
  prefix: string,
  argv: readonly [string, ...string[]],
  { mask, signal, timeoutMs = defaultTimeoutMs }: ReadOptions,
): Promise<Output> {
  const lines = { out: [] as string[], err: [] as string[] }
  const runId = `${prefix}-${randomUUID()}`
  // What cannot be removed now is removed by `forgetOldOutput`.
  const forget = () => runner.forget(runId).catch(() => undefined)
  let outcome: Outcome
  try {
    outcome = await runner.run(
      { argv, runId, timeoutMs },
      {
        signal,
        onLine: (source, text) => {
          if (lines[source].length < maxLines) lines[source].push(text)
        },
      },
    )
  } catch (error) {
    // Not awaited, since the node may be away.
    void forget()
    throw error
  }
  await forget()
  signal.throwIfAborted()
  const code = codeOf(outcome)
  return {
    code,
    lines: code === 0 ? lines.out : [lines.out, lines.err].flatMap((all) => maskLines(mask, all)),
  }
}

const dayMinutes = 24 * 60

/**
 * Removes what commands that only read have left on a node, as when their worker was killed or the connection was lost. What
 * cannot be removed now stays for the next time.
 */
export async function forgetOldOutput(
  runners: Runners,
  node: NodeAddress & { readonly id: number },
): Promise<void> {
  try {
    await runners.node(node).forgetOlderThan(dayMinutes, `node-${node.id}-`)
  } catch (error) {
    if (!(error instanceof RunnerError)) throw error
  }
}

function maskLines(mask: Mask, lines: readonly string[]): readonly string[] {
  const shown: string[] = []
  const stream = mask.stream((line) => shown.push(line))
  for (const line of lines) stream.write(line)
  stream.end()
  return shown
}

const codeOf = (outcome: Outcome): number => (outcome.kind === 'exited' ? outcome.code : killedCode)
