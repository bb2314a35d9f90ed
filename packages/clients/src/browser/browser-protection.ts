import { userInfo } from 'node:os'

/** Protects this process from hostile pages. */
export interface BrowserProtection {
  /** The user that the browser runs as; null on another machine. */
  readonly user: string | null
  /** Whether Chromium's sandbox is used, which needs user namespaces and does not work for root. */
  readonly isSandboxed: boolean
}

export interface BrowserProtectionSettings {
  /** A server of Playwright's protocol that runs the browser (`ws://host:port`); this machine when unset. */
  readonly server?: string
  /** The user that the browser runs as if this process belongs to root; `nobody` by default. */
  readonly user?: string
  /** With `optional`, the browser runs without the sandbox, or even as root, where it does not start otherwise. */
  readonly sandbox?: 'required' | 'optional'
}

export const isRoot = (): boolean => process.getuid?.() === 0

/** The protections to start with, the best first. */
export function listProtections({
  user: other = 'nobody',
  sandbox = 'required',
  server,
}: BrowserProtectionSettings): readonly BrowserProtection[] {
  if (server !== undefined) {
    const sandboxed = { user: null, isSandboxed: true }
    return sandbox === 'required' ? [sandboxed] : [sandboxed, { user: null, isSandboxed: false }]
  }
  const own = isRoot() ? 'root' : userInfo().username
  const user = isRoot() ? other : own
  const best = { user, isSandboxed: true }
  if (sandbox === 'required') return [best]
  const worse = [user, own].map((name) => ({ user: name, isSandboxed: false }))
  return [best, ...(user === own ? worse.slice(0, 1) : worse)]
}
