import { type Page, paths, readDomains, readMailboxes } from './answers.ts'
import { openExchange } from './exchange.ts'
import { type Registrar, RegistrarError, type RegistrarList } from './registrar.ts'

export interface RegistrarOptions {
  /** Where the API lies, such as https://api.limitis.example/v1 */
  readonly url: string
  readonly token: string
  /** Milliseconds for one answer; 15 s unless told otherwise. */
  readonly timeout?: number
  /** Milliseconds before each further try of a question; 1 s and 5 s unless told otherwise. */
  readonly waits?: readonly number[]
}

/** More pages than that are no list, but a server that never ends. */
const mostPages = 1000

/** Opens a client of the registrar's API; nothing is asked yet. */
export function openRegistrar({ url, token, timeout = 15_000, waits }: RegistrarOptions): Registrar {
  const base = new URL(`${url.replace(/\/+$/, '')}/`)
  const exchange = openExchange({ base, token, timeout, waits: waits ?? [1_000, 5_000] })

  /** @param key of an entry: one that two pages show is there once */
  async function all<Entry>(
    path: string,
    read: (answer: unknown) => Page<Entry>,
    key: (entry: Entry) => string,
    signal?: AbortSignal,
  ): Promise<RegistrarList<Entry>> {
    const found = new Map<string, Entry>()
    const odd: string[] = []
    let next: URL | null = new URL(path, base)
    let total: number | null = null
    for (let pages = 0; next !== null; pages++) {
      if (pages === mostPages)
        throw new RegistrarError(200, `The registrar's list has no end after ${pages} pages.`)
      const asked: URL = next
      const page = read(await exchange.ask(asked, signal))
      for (const entry of page.entries) found.set(key(entry), entry)
      odd.push(...page.odd)
      // Some tell it on their first page alone.
      total = page.total ?? total
      next = page.next ? nextPage(page.next, asked) : null
    }
    // Entries came or went while the pages were read, or a page ended too early.
    const shown = found.size + odd.length
    if (total !== null && total !== shown) {
      throw new RegistrarError(
        200,
        `The registrar's list is not whole: it says ${total} entries and shows ${shown}.`,
      )
    }
    if (found.size === 0 && odd.length > 0) {
      throw new RegistrarError(200, `The registrar lists ${path} that Kustos cannot read, such as ${odd[0]}.`)
    }
    return { entries: [...found.values()], odd }
  }

  return {
    domains: (signal) => all(paths.domains, readDomains, ({ fqdn }) => fqdn.toLowerCase(), signal),
    mailboxes: (signal) => all(paths.mailboxes, readMailboxes, ({ address }) => address, signal),
    close: exchange.close,
  }
}

function nextPage(next: string, asked: URL): URL {
  if (!URL.canParse(next, asked.href))
    throw new RegistrarError(200, "The registrar's next page has no address.")
  return new URL(next, asked)
}
