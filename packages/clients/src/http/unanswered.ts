/** What undici and Node call the ways in which an exchange fails. */
const failures: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing answers at its address',
  ENOTFOUND: 'its host name does not resolve',
  EAI_AGAIN: 'its host name cannot be resolved at the moment',
  EHOSTUNREACH: 'there is no way to its address',
  ENETUNREACH: 'there is no way to its address',
  ECONNRESET: 'the connection broke',
  EPIPE: 'the connection broke',
  UND_ERR_SOCKET: 'the connection broke',
  UND_ERR_CONNECT_TIMEOUT: 'no connection came about in time',
  CERT_HAS_EXPIRED: 'its certificate has expired',
}

/** The code that Node and undici give a failure; empty where they give none. */
export function codeOf(cause: unknown): string {
  // Of several addresses of one name, the first one's failure tells enough.
  const root: unknown = cause instanceof AggregateError ? (cause.errors[0] ?? cause) : cause
  return root instanceof Error && 'code' in root && typeof root.code === 'string' ? root.code : ''
}

/**
 * An exchange that brought no answer that could be used.
 * @param name of the other side, as a sentence begins with it
 * @param timeout in milliseconds, that was given to it
 * @returns a sentence, and the HTTP status that had come by then: 0 for none
 */
export function unansweredBy(
  name: string,
  cause: unknown,
  timeout: number,
): { readonly status: 0 | 200; readonly sentence: string } {
  const code = codeOf(cause)
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE')
    return { status: 200, sentence: `${name} answered more than Kustos is willing to read.` }
  const timedOut =
    (cause instanceof Error && cause.name === 'TimeoutError') || /_(HEADERS|BODY)_TIMEOUT$/.test(code)
  if (timedOut)
    return { status: 0, sentence: `${name} did not answer within ${Math.ceil(timeout / 1000)} s.` }
  const reason = failures[code] ?? (code || (cause instanceof Error ? cause.message : String(cause)))
  return { status: 0, sentence: `${name} cannot be reached: ${reason}.` }
}
