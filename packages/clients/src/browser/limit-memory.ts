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
  let isChecking = false
  async function check(): Promise<void> {
    const { processInfo } = await session.send('SystemInfo.getProcessInfo')
    for (const { id } of processInfo) if ((await residentMebibytes(id)) > maxMebibytes) kill(id)
  }
  const timer = setInterval(() => {
    // A busy browser responds late.
    if (isChecking) return
    isChecking = true
    check()
      // It has ended.
      .catch(() => undefined)
      .finally(() => (isChecking = false))
  }, intervalMs)
  timer.unref()
  return () => clearInterval(timer)
}

/** @returns 0 if there is no such process any more */
async function residentMebibytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}
