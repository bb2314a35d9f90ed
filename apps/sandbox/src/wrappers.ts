import { readFile } from 'node:fs/promises'

interface Wrapper {
  readonly pid: number
  /** Tells it from a later process of the same number. */
  readonly started: string
}

/**
 * Calls back once when a package manager that started us is gone. `npm start` puts npm, a shell, npx and pnpm between
 * the terminal and us; a signal sent to one of them ends that one and may never be handed down.
 *
 * @returns a function that ends the watch
 */
export async function watchWrappers(onGone: () => void): Promise<() => void> {
  const wrappers = await findWrappers()
  const parent = process.ppid
  const isGone = async () => {
    // Without /proc only the nearest one can be seen: when it ends we get another parent.
    if (wrappers === null) return process.ppid !== parent
    const looks = await Promise.all(wrappers.map(({ pid }) => look(pid)))
    return looks.some((now, i) => now === null || now.state === 'Z' || now.started !== wrappers[i]?.started)
  }
  const timer = setInterval(async () => {
    if (!(await isGone())) return
    clearInterval(timer)
    onGone()
  }, 400)
  timer.unref()
  return () => clearInterval(timer)
}

/** Our parents upwards, as long as they are package managers and the shells between them; null where they cannot be seen. */
async function findWrappers(): Promise<Wrapper[] | null> {
  if ((await look(process.pid)) === null) return process.env.npm_lifecycle_event === undefined ? [] : null
  const chain: (Wrapper & { manager: boolean })[] = []
  for (let pid = process.ppid; pid > 1; ) {
    const found = await look(pid)
    if (found === null) break
    const manager = /(^|[/\\])(npm|npx|pnpm|pnpx|yarn)([\s.@-]|$)/.test(found.command)
    if (!manager && !/^\S*sh\s+-c\s/.test(found.command)) break
    chain.push({ pid, started: found.started, manager })
    pid = found.parent
  }
  // A shell above the topmost one may well be meant to end before us.
  return chain.slice(0, chain.findLastIndex((wrapper) => wrapper.manager) + 1)
}

interface Look {
  readonly command: string
  readonly parent: number
  readonly state: string
  readonly started: string
}

/** @returns null where there is no such process, or no /proc to ask */
async function look(pid: number): Promise<Look | null> {
  try {
    const [stat, command] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile(`/proc/${pid}/cmdline`, 'utf8'),
    ])
    // The second field is a name in brackets that may hold anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [state = '', parent = '0'] = fields
    return {
      command: command.replaceAll('\0', ' ').trim(),
      parent: Number(parent),
      state,
      started: fields[19] ?? '',
    }
  } catch {
    return null
  }
}
