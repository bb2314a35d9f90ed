import { FetchError } from './fetch-error.ts'

/** The ports that pages may lead to. On others there are services which no visitor of a website uses. */
const webPorts: readonly number[] = [80, 443]

/** @throws {FetchError} for a port other than those of websites */
export function assertWebPort(port: number): void {
  if (!webPorts.includes(port)) throw new FetchError({ code: 'port_refused', params: { port } })
}
