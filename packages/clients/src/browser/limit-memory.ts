import { readFile } from 'node:fs/promises'
import type { Browser as Process } from 'playwright-core'

/** Of one process of the browser. Chromium limits what scripts keep, but not the size of documents. */
const maxMebibytes = 1_024
const intervalMs = 500

/**
 * Kills each process of a Chromium on this machine that takes too much memory, until the returned function is called. Its page
 * then counts as crashed.
 */
export async function limitMemory(process: Process): Promise<() => void> {
  const session = await process.newBrowserCDPSession()
  let known: readonly number[] = []
  let isAsking = false
  /** A busy browser responds late, which must not delay the check of those that are known. */
  async function listProcesses(): Promise<void> {
    if (isAsking) return
    isAsking = true
    try {
      const { processInfo } = await session.send('SystemInfo.getProcessInfo')
      known = processInfo.map(({ id }) => id)
    } catch {
      // It has ended.
      known = []
    } finally {
      isAsking = false
    }
  }
  const timer = setInterval(() => {
    void listProcesses()
    for (const pid of known) void killLarge(pid)
  }, intervalMs)
  timer.unref()
  return () => clearInterval(timer)
}

async function killLarge(pid: number): Promise<void> {
  try {
    const status = await readFile(`/proc/${pid}/status`, 'utf8')
    const mebibytes = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
    if (mebibytes <= maxMebibytes) return
    // Meanwhile the number may be another program's.
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8')
    if (/--user-data-dir=|--type=/.test(command)) process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}
