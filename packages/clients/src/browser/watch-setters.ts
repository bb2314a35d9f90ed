import { randomBytes } from 'node:crypto'
import type { CDPSession, Page } from 'playwright-core'

/** What a page can store. A worker is not stored, but the attempt counts. */
const storedKinds = ['cookie', 'local_storage', 'session_storage', 'indexed_db', 'service_worker'] as const
export type StoredKind = (typeof storedKinds)[number]

const maxReports = 500
const maxResponses = 2_000
const maxUrlLength = 300
const maxNameLength = 200

export type Setters = Awaited<ReturnType<typeof watchSetters>>

/**
 * Watches which script or response stores something. Cookies of responses are read from their headers, scripts from the
 * stack of the page's calls, which a page may falsify. Workers are refused (`serviceWorkers: 'block'`), but reported.
 * @param session of the page, with its network enabled
 */
export async function watchSetters(page: Page, session: CDPSession) {
  const setters = new Map<string, string | null>()
  const workers: string[] = []
  const chains = new Map<string, { readonly urls: string[]; answered: number }>()

  function add(kind: StoredKind, name: string, url: string | null): void {
    const key = `${kind} ${name}`
    if (setters.size < maxReports && (setters.get(key) ?? null) === null)
      setters.set(key, url?.slice(0, maxUrlLength) ?? null)
  }

  // The requests of a chain of redirects have one id, and the next one may be reported before the headers of the response.
  session.on(
    'Network.requestWillBeSent',
    ({ requestId, request, redirectResponse, redirectHasExtraInfo }) => {
      const chain = chains.get(requestId) ?? { urls: [], answered: 0 }
      if (chains.size < maxResponses) chains.set(requestId, chain)
      if (redirectResponse !== undefined && !redirectHasExtraInfo) chain.urls.pop()
      chain.urls.push(request.url)
    },
  )
  session.on('Network.responseReceivedExtraInfo', ({ requestId, headers }) => {
    const chain = chains.get(requestId)
    const url = chain?.urls[chain.answered] ?? chain?.urls.at(-1) ?? null
    if (chain !== undefined) chain.answered += 1
    const name = Object.keys(headers).find((one) => one.toLowerCase() === 'set-cookie')
    // Several are joined by line breaks.
    for (const cookie of name === undefined ? [] : (headers[name] ?? '').split('\n').slice(0, 100))
      add('cookie', nameOfCookie(cookie), url)
  })
  const binding = `_${randomBytes(8).toString('hex')}`
  session.on('Runtime.bindingCalled', ({ name, payload }) => {
    if (name !== binding || payload.length > 10_000) return
    const [kind, text, stack] = payload.split('\n\0')
    if (text === undefined || !isStoredKind(kind)) return
    // The page may falsify the functions that shorten it there.
    const stored = text.slice(0, maxNameLength)
    if (kind === 'service_worker' && workers.length < maxReports) workers.push(stored)
    add(kind, kind === 'cookie' ? nameOfCookie(stored) : stored, findScript(stack ?? ''))
  })
  await session.send('Runtime.enable')
  await session.send('Runtime.addBinding', { name: binding })
  await page.addInitScript(reportSetters, { binding, maxReports, maxNameLength })

  return {
    /** The address of the script or response; null if unknown. @param name at most 200 characters */
    find: (kind: StoredKind, name: string): string | null => setters.get(`${kind} ${name}`) ?? null,
    /** Addresses of the workers that were to be registered, each at least once. */
    workers: (): readonly string[] => workers,
  }
}

const isStoredKind = (kind: string | undefined): kind is StoredKind =>
  storedKinds.some((known) => known === kind)

const nameOfCookie = (cookie: string) => (cookie.split(/[=;]/, 1)[0] ?? '').trim().slice(0, maxNameLength)

/** Returns the innermost script with an address. Chromium appends line and column. */
const findScript = (stack: string): string | null =>
  /https?:\/\/[^\s()]+?(?=:\d+:\d+)/.exec(stack)?.[0] ?? null

type Callable = (...parameters: readonly unknown[]) => unknown

/**
 * Runs within each document before its scripts, without access to this module. Functions are replaced by proxies, which
 * look like them to the page.
 */
function reportSetters({
  binding,
  maxReports: max,
  maxNameLength: maxLength,
}: {
  readonly binding: string
  readonly maxReports: number
  readonly maxNameLength: number
}): void {
  type Prototype = Record<string, unknown>
  const page = globalThis as unknown as Record<string, { readonly prototype: Prototype } | undefined>
  const report = (globalThis as unknown as Record<string, unknown>)[binding] as
    | ((text: string) => void)
    | undefined
  delete (globalThis as unknown as Record<string, unknown>)[binding]
  if (typeof report !== 'function') return
  const { apply } = Reflect
  const frame = globalThis as unknown as {
    readonly location: { readonly href: string }
    readonly localStorage: unknown
  }
  const seen = new Set<string>()

  function note(kind: string, name: string): void {
    const key = `${kind} ${name.slice(0, maxLength)}`
    if (seen.size >= max || seen.has(key)) return
    seen.add(key)
    report?.([kind, name.slice(0, maxLength), (new Error().stack ?? '').slice(0, 4_000)].join('\n\0'))
  }

  /** @param describe returns the kind and the name that a call stores */
  const watch = (target: Callable, describe: (self: unknown, first: string) => readonly [string, string]) =>
    new Proxy(target, {
      apply(called, self, parameters: readonly unknown[]) {
        try {
          note(...describe(self, String(parameters[0])))
        } catch {
          // The page's call goes on as if nobody watched.
        }
        return apply(called, self, parameters)
      },
    })

  function watchMethod(
    holder: Prototype | undefined,
    name: string,
    describe: (self: unknown, first: string) => readonly [string, string],
  ): void {
    const method = holder?.[name]
    if (holder !== undefined && typeof method === 'function')
      holder[name] = watch(method as Callable, describe)
  }

  const documents = page.Document?.prototype
  const cookie = documents && Object.getOwnPropertyDescriptor(documents, 'cookie')
  if (cookie?.set)
    Object.defineProperty(documents, 'cookie', {
      ...cookie,
      set: watch(cookie.set, (_, text) => ['cookie', text]) as (value: unknown) => void,
    })
  watchMethod(page.Storage?.prototype, 'setItem', (self, key) => [
    self === frame.localStorage ? 'local_storage' : 'session_storage',
    key,
  ])
  watchMethod(page.IDBFactory?.prototype, 'open', (_, name) => ['indexed_db', name])
  watchMethod(page.ServiceWorkerContainer?.prototype, 'register', (_, url) => [
    'service_worker',
    new URL(url, frame.location.href).href,
  ])
}
