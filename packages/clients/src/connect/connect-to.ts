/** One entry of curl's `--connect-to`. An empty field matches everything or changes nothing. */
interface ConnectOverride {
  readonly host: string
  readonly port: string
  readonly toHost: string
  readonly toPort: string
}

interface Endpoint {
  readonly host: string
  readonly port: number
}

/** A field of an entry; an IPv6 address is in brackets. */
const field = /\[[^\]]*\]|[^:]+|(?<=:|^)(?=:|$)/g

/**
 * Returns a function that gives the endpoint to connect to instead, or null if no entry matches.
 * @param list HOST1:PORT1:HOST2:PORT2, separated by commas; the first match counts
 */
export function connectTo(list: string): (endpoint: Endpoint) => Endpoint | null {
  const overrides = list
    .split(',')
    .filter((entry) => entry !== '')
    .map((entry): ConnectOverride => {
      const [host = '', port = '', toHost = '', toPort = ''] = entry.match(field) ?? []
      return { host: host.toLowerCase(), port, toHost, toPort }
    })
  return ({ host, port }) => {
    const found = overrides.find(
      (override) =>
        (override.host === '' || override.host === host.toLowerCase()) &&
        (override.port === '' || override.port === String(port)),
    )
    if (!found) return null
    return { host: found.toHost || host, port: found.toPort === '' ? port : Number(found.toPort) }
  }
}
