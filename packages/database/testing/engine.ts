import { request } from 'node:http'
import { homedir } from 'node:os'

/** The address of a container engine, in the format of DOCKER_HOST. */
export type Engine = string

/**
 * The container engine that responds on this machine, or null. A `docker` program alone proves nothing: a client without
 * an engine is common.
 */
export async function findEngine(): Promise<Engine | null> {
  for (const host of listCandidates()) {
    if (await responds(host)) return host
  }
  return null
}

function listCandidates(): Engine[] {
  const configured = process.env.DOCKER_HOST
  if (configured) return [configured]
  if (process.platform === 'win32') return ['npipe:////./pipe/docker_engine']
  const home = homedir()
  const run = process.env.XDG_RUNTIME_DIR ?? `/run/user/${process.getuid?.() ?? 0}`
  return [
    '/var/run/docker.sock',
    `${run}/docker.sock`,
    `${home}/.docker/run/docker.sock`,
    `${home}/.docker/desktop/docker.sock`,
    `${home}/.colima/default/docker.sock`,
    `${home}/.colima/docker.sock`,
    `${home}/.rd/docker.sock`,
    `${run}/podman/podman.sock`,
    '/run/podman/podman.sock',
    `${home}/.local/share/containers/podman/machine/podman.sock`,
  ].map((path) => `unix://${path}`)
}

/** @returns whether it responds to `GET /_ping` within half a second */
function responds(host: Engine): Promise<boolean> {
  const target = parseTarget(host)
  if (target === null) return Promise.resolve(false)
  return new Promise((resolve) => {
    const ping = request({ ...target, path: '/_ping', timeout: 500 }, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
    ping.on('timeout', () => ping.destroy(new Error('no response')))
    ping.on('error', () => resolve(false))
    ping.end()
  })
}

/** @returns null for engines behind ssh or TLS, which are not probed */
function parseTarget(host: Engine): { socketPath: string } | { host: string; port: string } | null {
  if (host.startsWith('unix://')) return { socketPath: host.slice('unix://'.length) }
  if (host.startsWith('npipe://')) return { socketPath: host.slice('npipe://'.length) }
  if (!URL.canParse(host)) return null
  const { protocol, hostname, port } = new URL(host)
  return protocol === 'tcp:' || protocol === 'http:' ? { host: hostname, port: port || '2375' } : null
}
