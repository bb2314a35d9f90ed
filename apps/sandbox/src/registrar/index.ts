import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { closing, listen, loopback } from '../listening.ts'
import { catalogue } from './catalogue.ts'
import { service } from './service.ts'

export interface SandboxRegistrar {
  /** For LIMITIS_API_URL. */
  readonly url: string
  /** For LIMITIS_API_TOKEN; another one at every start. */
  readonly token: string
  stop(): Promise<void>
}

/**
 * Starts the registrar on loopback: the lists that packages/clients/src/registrar/schemas.ts describes, 25 entries a page,
 * and `PUT /_sandbox/health/<mode>` to make it ill.
 */
export async function startRegistrar(): Promise<SandboxRegistrar> {
  const server = createServer()
  const stop = closing(server)
  const origin = `http://${loopback}:${await listen(server)}`
  const token = randomBytes(24).toString('base64url')
  server.on('request', service({ origin, token, catalogue: catalogue() }))
  return { url: `${origin}/v1`, token, stop }
}
