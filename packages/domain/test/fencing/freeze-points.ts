import { readFileSync } from 'node:fs'

/** A line at which a program freezes, before it runs. */
export interface FreezePoint {
  readonly file: string
  /** Counts from 0. */
  readonly line: number
  readonly text: string
}

interface Range {
  readonly file: string
  readonly from: string
  readonly to: string
}

const root = new URL('../../../', import.meta.url)
const domain = 'domain/src/deployment'
const runner = 'clients/src/runner'

/** The code that runs between marking a step as running and the start of its wrapper. */
const ranges: readonly Range[] = [
  { file: `${domain}/step-runner.ts`, from: 'lease.start(index', to: 'return await this.#command(' },
  { file: `${domain}/step-runner.ts`, from: 'async #command(', to: 'command, command.start)' },
  { file: `${domain}/command.ts`, from: 'export async function openCommand(', to: 'let lastStderrLine' },
  { file: `${domain}/step-runner.ts`, from: 'async #follow(', to: 'const followed = await followCommand(' },
  {
    file: `${domain}/follow-command.ts`,
    from: '): Promise<Followed> {',
    to: 'const outcome = await attach()',
  },
  { file: `${domain}/command.ts`, from: 'const streams = {', to: 'const outcome = await connect(' },
  { file: `${runner}/process-runner.ts`, from: 'async function runCommand(', to: "process.input.end('start" },
  { file: `${runner}/local-runners.ts`, from: 'async start(', to: 'await mkdir(' },
  { file: `${runner}/local-runners.ts`, from: 'async function startProcess(', to: 'const child = spawn(' },
  { file: `${runner}/ssh-runners.ts`, from: 'const open = async (', to: 'connections.add(' },
  { file: `${runner}/ssh-runners.ts`, from: 'const exec = async (', to: 'return exec(command' },
  { file: `${runner}/ssh-connection.ts`, from: 'async function connect(', to: 'const unreadable =' },
  { file: `${runner}/ssh-connection.ts`, from: 'refuse(refusal ?? reasonOf(', to: 'client.connect({' },
  { file: `${runner}/ssh-connection.ts`, from: 'hostVerifier(key', to: "if (status === 'pinned')" },
  { file: `${runner}/ssh-connection.ts`, from: 'return false', to: 'let failure' },
  { file: `${runner}/ssh-connection.ts`, from: 'try {', to: 'resolve(processOf(' },
  { file: `${runner}/ssh-connection.ts`, from: 'function processOf(', to: 'const errorOf =' },
]

/** Whether only executions over SSH reach the point. */
export const needsSsh = ({ file }: FreezePoint): boolean => file.startsWith(`${runner}/ssh-`)

/** The lines of the worker that begin a statement. */
export const workerPoints: readonly FreezePoint[] = ranges.flatMap((range) =>
  linesBetween(range).filter(
    ({ text, before }) =>
      /^(const|let|return|if|await|try|throw|process =|script =|[\w#][\w.#]*\()/.test(text) &&
      !/^(if|for|else|while)\b.*[^{]$/.test(before),
  ),
)

const scripts = `${runner}/scripts.ts`
const linesOfScript = (name: string, to: string) =>
  linesBetween({ file: scripts, from: `export const ${name} = \``, to }).filter(
    ({ text }) => !/^(done|fi|\}|\))/.test(text),
  )

/** The lines of the scripts on the node up to the link that decides whether the command may start. */
export const unstartedPoints: readonly FreezePoint[] = [
  ...linesOfScript('startScript', 'pid=$(setsid'),
  ...linesOfScript('wrapperScript', 'ln "$folder/started"'),
]

/** The lines of the wrapper from there up to the one that starts the command. */
const startedPoints: readonly FreezePoint[] = linesOfScript('wrapperScript', 'exec "$@")').filter(
  ({ line }) => line > (unstartedPoints.at(-1)?.line ?? 0),
)

export const wrapperPoints = [...unstartedPoints, ...startedPoints]

function linesBetween({ file, from, to }: Range) {
  const lines = readFileSync(new URL(file, root), 'utf8').split('\n')
  const start = lines.findIndex((line) => line.includes(from))
  const end = lines.findIndex((line, index) => index > start && line.includes(to))
  if (start < 0 || end < 0) throw new Error(`${file} has no lines from ${from} to ${to}`)
  return lines.slice(start + 1, end + 1).map((text, index) => ({
    file,
    line: start + 1 + index,
    text: text.trim(),
    before: lines[start + index]?.trim() ?? '',
  }))
}
