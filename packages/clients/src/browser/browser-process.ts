import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Browser as Process } from 'playwright-core'
import { type BrowserProtection, isRoot } from './browser-protection.ts'
import { type BrowserLink, loopbackLink } from './egress-proxy.ts'
import { limitMemory } from './limit-memory.ts'
import { closeTimeoutMs } from './visit-limits.ts'

/** A Chromium process that visits share. */
export type Running = ReturnType<typeof createRunning>

const launchTimeoutMs = 20_000
const [runAsUser = '', relay = ''] = ['run-as-user.sh', 'relay.sh'].map((name) =>
  fileURLToPath(new URL(name, import.meta.url)),
)

const folderVariables = ['XDG_CACHE_HOME', 'XDG_CONFIG_HOME', 'XDG_RUNTIME_DIR']

/**
 * Starts a headless Chromium behind the relay, all connections of which use the proxies of its contexts.
 * @throws Error of Chromium or the system
 */
export async function startProcess(executable: string, { user, isSandboxed }: BrowserProtection) {
  // Loaded only if there is a browser.
  const { chromium } = await import('playwright-core')
  const changesUser = user !== null && isRoot() && user !== 'root'
  const process = await chromium.launch({
    ...launchOptions(loopbackLink, isSandboxed),
    executablePath: relay,
    // The browser ends with this process.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    env: {
      ...(changesUser
        ? { ...environment('PATH', 'LANG'), BROWSER_USER: user, BROWSER_PROGRAM: executable }
        : environment('PATH', 'HOME', 'TMPDIR', 'LANG', ...folderVariables)),
      BROWSER_NODE: globalThis.process.execPath,
      BROWSER_COMMAND: changesUser ? runAsUser : executable,
    },
  })
  return createRunning(process, loopbackLink, await readPid(process), await limitMemory(process))
}

/**
 * Has a server start a Chromium, which ends with the connection to it. The browser reaches the network through this process.
 * @throws Error of Chromium or the network
 */
export async function connectProcess(
  server: string,
  executablePath: string,
  { isSandboxed }: BrowserProtection,
) {
  const { chromium } = await import('playwright-core')
  const link = await findLink(new URL(server))
  const options = { ...launchOptions(link, isSandboxed), executablePath }
  const process = await chromium.connect(server, {
    timeout: launchTimeoutMs,
    headers: { 'x-playwright-launch-options': JSON.stringify(options) },
  })
  return createRunning(process, link, null)
}

/** The addresses of both machines in the network between them. */
async function findLink({ hostname, port }: URL): Promise<BrowserLink> {
  const socket = connect({ host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port || 80) })
  socket.setTimeout(launchTimeoutMs, () => socket.destroy(new Error(`${hostname} does not respond`)))
  try {
    await once(socket, 'connect')
    const { localAddress: local = '', remoteAddress: remote = '' } = socket
    return { local, remote }
  } finally {
    socket.destroy()
  }
}

/**
 * @param pid null on another machine
 * @param release called at the end
 */
const createRunning = (
  process: Process,
  link: BrowserLink,
  pid: number | null,
  release: () => void = () => undefined,
) => ({
  process,
  link,
  /** Visits so far, and those under way. */
  begun: 0,
  active: 0,
  /** Closes the process, and kills it if that takes too long. */
  async end(): Promise<void> {
    release()
    const closed = process.close().then(
      () => true,
      () => true,
    )
    if (await Promise.race([closed, sleep(closeTimeoutMs, false, { ref: false })])) return
    if (pid === null) return
    kill(pid)
    await closed
  },
})

/** Variables that Chromium needs, without our secrets. */
function environment(...names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = globalThis.process.env[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

const launchOptions = (link: BrowserLink, isSandboxed: boolean) => ({
  headless: true,
  chromiumSandbox: isSandboxed,
  timeout: launchTimeoutMs,
  // Requests outside of a context must fail.
  proxy: { server: 'http://127.0.0.1:9', bypass: '<-loopback>' },
  args: flags(link),
  // Keeps Chromium's blocking of pop-up windows.
  ignoreDefaultArgs: ['--disable-popup-blocking'],
})

const flags = (link: BrowserLink) => [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-blink-features=AutomationControlled',
  '--mute-audio',
  // Prevents DNS lookups, WebRTC and prefetching from bypassing the proxy.
  `--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE ${link.local}`,
  // The policy's present and former name.
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--dns-prefetch-disable',
  // A page that needs more memory crashes.
  '--js-flags=--max-old-space-size=512',
]

async function readPid(process: Process): Promise<number | null> {
  const session = await process.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  await session.detach()
  return processInfo.find(({ type }) => type === 'browser')?.id ?? null
}

/** Kills the process group, which the process leads. */
function kill(pid: number): void {
  for (const target of [-pid, pid]) {
    try {
      process.kill(target, 'SIGKILL')
      return
    } catch {
      // It has ended, or leads no group.
    }
  }
}
