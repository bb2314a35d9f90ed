import { readFile } from 'node:fs/promises'

interface ProcessInfo {
  readonly command: string
  readonly parent: number
  readonly state: string
  /** Distinguishes it from a later process with the same id. */
  readonly startTime: string
}

/**
 * Calls back when a package manager that started the sandbox exits. `npm start` puts npm, a shell, npx and pnpm between the
 * terminal and the sandbox, and they do not always forward signals.
 */
export async function watchPackageManagers(onExit: () => void): Promise<void> {
  const ancestors = await findPackageManagers()
  const parent = process.ppid
  const hasExited = async () => {
    // Without /proc only the exit of the direct parent is visible, as a change of the parent.
    if (ancestors === null) return process.ppid !== parent
    const current = await Promise.all(ancestors.map(({ pid }) => readProcess(pid)))
    return current.some(
      (now, i) => now === null || now.state === 'Z' || now.startTime !== ancestors[i]?.startTime,
    )
  }
  const timer = setInterval(async () => {
    if (!(await hasExited())) return
    clearInterval(timer)
    onExit()
  }, 400)
  timer.unref()
}

/** The ancestors up to the topmost package manager; null if processes are not visible. */
async function findPackageManagers() {
  if ((await readProcess(process.pid)) === null)
    return process.env.npm_lifecycle_event === undefined ? [] : null
  const chain: { pid: number; startTime: string; isManager: boolean }[] = []
  for (let pid = process.ppid; pid > 1; ) {
    const found = await readProcess(pid)
    if (found === null) break
    const { command, startTime } = found
    const isManager = /(^|[/\\])(npm|npx|pnpm|pnpx|yarn)([\s.@-]|$)/.test(command)
    if (!isManager && !/^\S*sh\s+-c\s/.test(command)) break
    chain.push({ pid, startTime, isManager })
    pid = found.parent
  }
  // A shell above the topmost package manager may exit before the sandbox.
  return chain.slice(0, chain.findLastIndex(({ isManager }) => isManager) + 1)
}

/** @returns null if there is no such process or no /proc */
async function readProcess(pid: number): Promise<ProcessInfo | null> {
  try {
    const [stat, command] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile(`/proc/${pid}/cmdline`, 'utf8'),
    ])
    // The second field is a name in parentheses that may contain any character.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [state = '', parent = '0'] = fields
    return {
      command: command.replaceAll('\0', ' ').trim(),
      parent: Number(parent),
      state,
      startTime: fields[19] ?? '',
    }
  } catch {
    return null
  }
}
