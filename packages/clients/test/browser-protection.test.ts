import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type BrowserProtection,
  type BrowserSettings,
  installedBrowser,
  openBrowser,
} from '../src/browser/index.ts'
import { type BrowserSites, hosts, startBrowserSites } from './browser-sites.ts'
import { makeAuthority } from './probe-certificates.ts'

const executable = (await installedBrowser(process.env)) ?? ''
const isRoot = process.getuid?.() === 0
/** A folder that only its owner can enter hides the browser and its profile from other users. */
const isReachable = executable !== '' && isRoot && canRunAsNobody()

function canRunAsNobody(): boolean {
  try {
    execFileSync('setpriv', [
      '--reuid=nobody',
      '--clear-groups',
      'unshare',
      '--user',
      '--map-root-user',
      executable,
      '--version',
    ])
    return true
  } catch {
    return false
  }
}

describe.skipIf(!isReachable)(
  'the browser of a worker that runs as root (skipped without root, Chromium or user namespaces)',
  { timeout: 150_000 },
  () => {
    let sites: BrowserSites
    let folder = ''
    /** Chromium on a machine whose kernel allows no sandbox. */
    let unsandboxable = ''

    beforeAll(async () => {
      const authority = await makeAuthority('O=Tyrol Trust, CN=Tyrol Trust R1')
      sites = await startBrowserSites(await authority.issue({ names: hosts.slice(0, -1) }))
      folder = await mkdtemp(join(tmpdir(), 'kustos-browser-'))
      await chmod(folder, 0o755)
      unsandboxable = join(folder, 'chromium')
      const flags = '--disable-namespace-sandbox --disable-setuid-sandbox'
      await writeFile(unsandboxable, `#!/bin/sh\nexec '${executable}' ${flags} "$@"\n`, { mode: 0o755 })
    })
    afterAll(async () => {
      await sites.stop()
      await rm(folder, { recursive: true })
    })

    /** Visits a page, and returns what it saw, the browser's processes, and the protection it reported. */
    async function visit(settings: Partial<BrowserSettings> = {}) {
      const protections: BrowserProtection[] = []
      const host = sites.host({ '/': '<p>Guten Tag</p>' })
      const browser = openBrowser({
        executable,
        connectTo: sites.connectTo,
        onStart: (protection) => protections.push(protection),
        ...settings,
      })
      try {
        const result = await browser.visit(`http://${host}/`, { deadlineMs: 60_000 })
        return { result, protections, processes: await findBrowserProcesses() }
      } finally {
        await browser.close()
      }
    }

    test('runs as nobody in a sandbox, with a profile of its own and none of our variables', async () => {
      process.env.KUSTOS_TEST_SECRET = 'secret-of-the-worker'
      const { result, protections, processes } = await visit()
      expect(result).toMatchObject({ outcome: 'visited' })
      expect(protections).toEqual([{ user: 'nobody', isSandboxed: true }])
      expect(processes.length).toBeGreaterThan(2)
      for (const { command, uids, groups, capabilities } of processes) {
        expect([command, uids]).toEqual([command, ['65534', '65534', '65534', '65534']])
        expect(groups).toBe('')
        // Those in the sandbox's own namespace are no rights outside of it.
        if (!command.includes('--type=')) expect(capabilities).toBe('0000000000000000')
        expect(command).not.toContain('--no-sandbox')
      }
      for (const { environment } of processes) expect(environment).not.toContain('secret-of-the-worker')
      // Pages run under Chromium's filter of system calls.
      const renderers = processes.filter(({ command }) => command.includes('--type=renderer'))
      expect(renderers.map(({ seccomp }) => seccomp)).toEqual(renderers.map(() => '2'))
    })

    test('does not start as root or without the sandbox', async () => {
      for (const settings of [{ executable: unsandboxable }, { user: 'no-such-user' }]) {
        const { result, protections } = await visit(settings)
        expect(result).toMatchObject({ outcome: 'failed', reason: { code: 'browser_not_started' } })
        expect(protections).toEqual([])
      }
    })

    test('falls back to no sandbox, then to root, if allowed', async () => {
      const unsandboxed = await visit({ executable: unsandboxable, sandbox: 'optional' })
      expect(unsandboxed.result).toMatchObject({ outcome: 'visited' })
      expect(unsandboxed.protections).toEqual([{ user: 'nobody', isSandboxed: false }])
      const asRoot = await visit({ user: 'no-such-user', sandbox: 'optional' })
      expect(asRoot.result).toMatchObject({ outcome: 'visited' })
      expect(asRoot.protections).toEqual([{ user: 'root', isSandboxed: false }])
    })
  },
)

/** The processes that this one has started, directly or not, and that belong to a Chromium with a profile. */
async function findBrowserProcesses() {
  const all = await Promise.all(
    (await readdir('/proc'))
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => readProcess(pid).catch(() => null)),
  )
  const known = new Set([String(process.pid)])
  const running = all.flatMap((one) => one ?? []).sort((a, b) => Number(a.pid) - Number(b.pid))
  for (let size = 0; size !== known.size; ) {
    size = known.size
    for (const { pid, parent } of running) if (known.has(parent)) known.add(pid)
  }
  return running.filter(({ pid, command }) => known.has(pid) && /--user-data-dir=|--type=/.test(command))
}

async function readProcess(pid: string) {
  const [status, command, environment] = await Promise.all(
    ['status', 'cmdline', 'environ'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8')),
  )
  const field = (name: string) =>
    new RegExp(`^${name}:[ \\t]*(.*)$`, 'm').exec(status ?? '')?.[1]?.trim() ?? ''
  return {
    pid,
    parent: field('PPid'),
    command: (command ?? '').replaceAll('\0', ' '),
    environment: environment ?? '',
    uids: field('Uid').split(/\s+/),
    groups: field('Groups'),
    capabilities: field('CapEff'),
    seccomp: field('Seccomp'),
  }
}
