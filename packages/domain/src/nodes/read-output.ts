import { randomUUID } from 'node:crypto'
import type { Outcome, Runner } from '@kustos/clients/runner'

const timeoutMs = 45_000
const maxLines = 100_000

export interface Output {
  /** 255 for a command that was killed. */
  readonly code: number
  /** The lines of stdout, and those of stderr if the command failed. */
  readonly lines: readonly string[]
}

/**
 * Runs a command that only reads, to its end.
 * @param prefix of the run's id; what runs with this prefix have left on the node is removed
 * @throws {RunnerError}; the signal's reason
 */
export async function readOutput(
  runner: Runner,
  prefix: string,
  argv: readonly [string, ...string[]],
  signal: AbortSignal,
): Promise<Output> {
  const lines = { out: [] as string[], err: [] as string[] }
  const runId = `${prefix}-${randomUUID()}`
  const outcome = await runner.run(
    { argv, runId, timeoutMs },
    {
      signal,
      onLine: (source, text) => {
        if (lines[source].length < maxLines) lines[source].push(text)
      },
    },
  )
  signal.throwIfAborted()
  await runner.forget(runId)
  return { code: codeOf(outcome), lines: codeOf(outcome) === 0 ? lines.out : [...lines.out, ...lines.err] }
}

const codeOf = (outcome: Outcome): number => (outcome.kind === 'exited' ? outcome.code : 255)
