export type Console = ReturnType<typeof openConsole>

/** Prints a line for each step of the start, and later for each event. */
export function openConsole(output: NodeJS.WriteStream) {
  // The reader of a pipe may exit before the sandbox.
  output.on('error', () => undefined)
  const print = (line: string) => {
    output.write(`${line}\n`)
  }
  return {
    print,
    /** Runs a step and prints its outcome and duration, unless it fails or has no outcome. */
    async step<T>(name: string, work: () => Promise<T>, describe: (value: T) => string | null): Promise<T> {
      const startedAt = performance.now()
      const value = await work()
      const duration = `${((performance.now() - startedAt) / 1000).toFixed(1)} s`
      const outcome = describe(value)
      if (outcome !== null) print(`  ${name.padEnd(12)}${outcome.padEnd(48)}${duration.padStart(8)}`)
      return value
    },
  }
}
