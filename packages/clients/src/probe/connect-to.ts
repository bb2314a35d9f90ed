/** One entry of curl's `--connect-to`: connections to the first pair go to the second; empty fields match or keep all. */
interface Detour {
  readonly host: string
  readonly port: string
  readonly toHost: string
  readonly toPort: string
}

interface Place {
  readonly host: string
  readonly port: number
}

/** A field of an entry: an IPv6 address stands in brackets. */
const field = /\[[^\]]*\]|[^:]+|(?<=:|^)(?=:|$)/g

/**
 * @param list HOST1:PORT1:HOST2:PORT2, separated by commas; the first that matches counts
 * @returns where to connect to, or null where no entry matches
 */
export function connectTo(list: string): (place: Place) => Place | null {
  const detours = list
    .split(',')
    .filter((entry) => entry !== '')
    .map((entry): Detour => {
      const [host = '', port = '', toHost = '', toPort = ''] = entry.match(field) ?? []
      return { host: host.toLowerCase(), port, toHost, toPort }
    })
  return ({ host, port }) => {
    const found = detours.find(
      (detour) =>
        (detour.host === '' || detour.host === host.toLowerCase()) &&
        (detour.port === '' || detour.port === String(port)),
    )
    if (!found) return null
    return { host: found.toHost || host, port: found.toPort === '' ? port : Number(found.toPort) }
  }
}
