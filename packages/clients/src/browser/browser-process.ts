import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser as Process } from 'playwright-core'

/** A Chromium process that visits share. */
export type Running = Awaited<ReturnType<typeof startProcess>>

const launchTimeoutMs = 20_000
const closeTimeoutMs = 3_000

/**
 * Starts a headless Chromium, all connections of which use the proxies of its contexts.
 * @throws Error of Chromium or the system
 */
export async function startProcess(executable: string) {
  // Loaded only if there is a browser.
  const { chromium } = await import('playwright-core')
  const process = await chromium.launch({
    executablePath: executable,
    headless: true,
    // Chromium has no sandbox for root.
    chromiumSandbox: globalThis.process.getuid?.() !== 0,
    timeout: launchTimeoutMs,
    // The browser ends with this process.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    // Requests outside of a context must fail.
    proxy: { server: 'http://127.0.0.1:9', bypass: '<-loopback>' },
    args: flags,
    env: environment(),
    // Keeps Chromium's blocking of pop-up windows.
    ignoreDefaultArgs: ['--disable-popup-blocking'],
  })
  const pid = await pidOf(process)
  return {
    process,
    /** Visits so far, and those under way. */
    begun: 0,
    active: 0,
    /** Closes the process, and kills it if that takes too long. */
    async end(): Promise<void> {
      const closed = process.close().then(
        () => true,
        () => true,
      )
      if (await Promise.race([closed, sleep(closeTimeoutMs, false, { ref: false })])) return
      kill(pid)
      await closed
    },
  }
}

/** Variables that Chromium needs, without our secrets. */
function environment(): Record<string, string> {
  const names = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'XDG_CACHE_HOME', 'XDG_CONFIG_HOME', 'XDG_RUNTIME_DIR']
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = globalThis.process.env[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

const flags = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-blink-features=AutomationControlled',
  '--mute-audio',
  // Prevents DNS lookups, WebRTC and prefetching from bypassing the proxy.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
  // The policy's present and former name.
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--dns-prefetch-disable',
  // A page that needs more memory crashes.
  '--js-flags=--max-old-space-size=512',
]

async function pidOf(process: Process): Promise<number | null> {
  const session = await process.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  await session.detach()
  return processInfo.find(({ type }) => type === 'browser')?.id ?? null
}

/** Kills the process group, which the process leads. */
function kill(pid: number | null): void {
  if (pid === null) return
  for (const target of [-pid, pid]) {
    try {
      process.kill(target, 'SIGKILL')
      return
    } catch {
      // It has ended, or leads no group.
    }
  }
}
