import { randomUUID } from 'node:crypto'
import type { Outcome, Runner } from '@kustos/clients/runner'
import type { Mask } from '../platform/masking/index.ts'

const defaultTimeoutMs = 45_000
const maxLines = 100_000

export interface ReadOptions {
  readonly mask: Mask
  readonly signal: AbortSignal
  readonly timeoutMs?: number
}

export interface Output {
  /** 255 for a command that was killed. */
  readonly code: number
  /** The lines of stdout; of stderr as well, and without secrets, if the command failed. */
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
  { mask, signal, timeoutMs = defaultTimeoutMs }: ReadOptions,
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
  const code = codeOf(outcome)
  return {
    code,
    lines: code === 0 ? lines.out : [lines.out, lines.err].flatMap((all) => maskLines(mask, all)),
  }
}

function maskLines(mask: Mask, lines: readonly string[]): readonly string[] {
  const shown: string[] = []
  const stream = mask.stream((line) => shown.push(line))
  for (const line of lines) stream.write(line)
  stream.end()
  return shown
}

const codeOf = (outcome: Outcome): number => (outcome.kind === 'exited' ? outcome.code : 255)
