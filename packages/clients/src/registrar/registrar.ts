import type { z } from 'zod'
import { createJsonApi, parseBaseUrl, ServiceError } from '../http/json-api.ts'
import { domain, mailbox, page } from './schemas.ts'

export type { RegistrarDomain, RegistrarMailbox } from './schemas.ts'

export interface RegistrarList<Entry> {
  readonly entries: readonly Entry[]
  /** The beginnings of unreadable entries. Any entry that is missing may be among them. */
  readonly unreadable: readonly string[]
}

export type Registrar = ReturnType<typeof openRegistrar>

export class RegistrarError extends ServiceError {
  override readonly name = 'RegistrarError'
}

export interface RegistrarOptions {
  /** Base address of the API, such as https://api.limitis.example/v1 */
  readonly url: string
  readonly token: string
  /** Masks secrets in the registrar's own words. */
  readonly mask?: (text: string) => string
  readonly timeoutMs?: number
  /** Waits before the retries of a request. */
  readonly retryDelaysMs?: readonly number[]
}

const maxPages = 1000

/**
 * Creates a client of the registrar's API; nothing is requested yet. Each call returns a complete list or throws
 * {@link RegistrarError}.
 */
export function openRegistrar(options: RegistrarOptions) {
  const { url, token, mask = (text) => text, timeoutMs = 15_000, retryDelaysMs = [1_000, 5_000] } = options
  const baseUrl = parseBaseUrl(url)
  const api = createJsonApi({
    service: 'The registrar',
    Failure: RegistrarError,
    headers: { authorization: `Bearer ${token}` },
    connections: 2,
    timeoutMs,
    maxResponseBytes: 8 * 1024 * 1024,
    refuse: ({ status }) => new RegistrarError(status, explainRefusal(status)),
    retryDelayMs: (attempt) => retryDelaysMs[attempt] ?? null,
  })

  async function listAll<Entry>(
    path: string,
    schema: z.ZodType<Entry>,
    keyOf: (entry: Entry) => string,
    signal?: AbortSignal,
  ): Promise<RegistrarList<Entry>> {
    // An entry may move to a later page while the pages are read.
    const found = new Map<string, Entry>()
    const unreadable: string[] = []
    let total: number | null = null
    for await (const each of api.pages(page, new URL(path, baseUrl), {
      maxPages,
      urlSetting: 'LIMITIS_API_URL',
      signal,
    })) {
      if (each === undefined)
        throw new RegistrarError(404, 'The registrar has no such list. Check LIMITIS_API_URL.')
      for (const entry of each.data) {
        const parsed = schema.safeParse(entry)
        if (parsed.success) found.set(keyOf(parsed.data), parsed.data)
        else unreadable.push(mask((JSON.stringify(entry) ?? '').slice(0, 1_000)).slice(0, 100))
      }
      // Some registrars give it on the first page only.
      total = each.total ?? total
    }
    const shown = found.size + unreadable.length
    if (total !== null && total !== shown) {
      throw new RegistrarError(
        200,
        `The registrar's list is not whole: it says ${total} entries and shows ${shown}.`,
      )
    }
    if (found.size === 0 && unreadable.length > 0)
      throw new RegistrarError(
        200,
        `The registrar lists ${path} that Kustos cannot read, such as ${unreadable[0]}.`,
      )
    return { entries: [...found.values()], unreadable }
  }

  return {
    domains: (signal?: AbortSignal) => listAll('domains', domain, ({ fqdn }) => fqdn.toLowerCase(), signal),
    mailboxes: (signal?: AbortSignal) => listAll('mailboxes', mailbox, ({ address }) => address, signal),
    close: api.close,
  }
}

function explainRefusal(status: number): string {
  if (status === 401)
    return 'The registrar does not accept the token: it has expired or was revoked. Put a new one into LIMITIS_API_TOKEN.'
  if (status === 403) return 'The registrar does not let the token in LIMITIS_API_TOKEN read its lists.'
  if (status === 429) return 'The registrar has had too many requests. Try again later.'
  if (status >= 500) return `The registrar reported a server error (${status}). Try again later.`
  if (status >= 300 && status < 400)
    return 'The registrar points to another address, which Kustos does not follow. Check LIMITIS_API_URL.'
  return `The registrar refuses to give its list (${status}).`
}
