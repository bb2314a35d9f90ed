import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser as Process } from 'playwright-core'

/** A process of Chromium that visits share. */
export interface Running {
  readonly process: Process
  /** Visits that it was begun for, and those under way. */
  begun: number
  active: number
  /** Ends it: at once where it does not end by itself. */
  end(): Promise<void>
}

/** In milliseconds: for a process to start, and to end by itself. */
const patience = { start: 20_000, end: 3_000 }

/**
 * Starts a Chromium without a screen, whose every connection goes through the proxies of its contexts.
 * @throws Error with what Chromium or the system says
 */
export async function startProcess(executable: string): Promise<Running> {
  // Only who has a browser pays for its driver.
  const { chromium } = await import('playwright-core')
  const process = await chromium.launch({
    executablePath: executable,
    headless: true,
    // Chromium gives root no sandbox.
    chromiumSandbox: globalThis.process.getuid?.() !== 0,
    timeout: patience.start,
    // Who started us ends us; the end of this process ends the browser.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    // What belongs to no context goes nowhere.
    proxy: { server: 'http://127.0.0.1:9', bypass: '<-loopback>' },
    args: flags,
    env: environment(),
    // Windows that nobody clicked for are not even opened.
    ignoreDefaultArgs: ['--disable-popup-blocking'],
  })
  const pid = await pidOf(process)
  return {
    process,
    begun: 0,
    active: 0,
    async end() {
      const closed = process.close().then(
        () => true,
        () => true,
      )
      if (await Promise.race([closed, sleep(patience.end, false, { ref: false })])) return
      kill(pid)
      await closed
    },
  }
}

/** What Chromium needs of ours, and nothing of what is secret in it. */
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
  // No name is resolved here, and nothing is sent past the proxy: neither by WebRTC nor ahead of time.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
  // The name of WebRTC's policy today, and the one that it had.
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--dns-prefetch-disable',
  // A page that wants more crashes, and not the machine.
  '--js-flags=--max-old-space-size=512',
]

async function pidOf(process: Process): Promise<number | null> {
  const session = await process.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  await session.detach()
  return processInfo.find(({ type }) => type === 'browser')?.id ?? null
}

/** The process with those that it started: it leads a group of its own. */
function kill(pid: number | null): void {
  if (pid === null) return
  for (const target of [-pid, pid]) {
    try {
      process.kill(target, 'SIGKILL')
      return
    } catch {
      // It has gone by itself, or leads no group.
    }
  }
}
