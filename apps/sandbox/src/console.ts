/** What the start tells whoever watches it: plain lines, one for each step, and later one for each event. */
export interface Console {
  /** Runs a step and says what came of it and how long it took; nothing where it fails or there is no outcome. */
  step<T>(name: string, work: () => Promise<T>, outcome: (value: T) => string | null): Promise<T>
  say(line: string): void
}

export function openConsole(output: NodeJS.WriteStream): Console {
  // Whoever read along may be gone before we are.
  output.on('error', () => undefined)
  const say = (line: string) => {
    output.write(`${line}\n`)
  }
  return {
    say,
    async step(name, work, outcome) {
      const started = performance.now()
      const value = await work()
      const seconds = `${((performance.now() - started) / 1000).toFixed(1)} s`
      const came = outcome(value)
      if (came !== null) say(`  ${name.padEnd(12)}${came.padEnd(44)}${seconds.padStart(8)}`)
      return value
    },
  }
}
