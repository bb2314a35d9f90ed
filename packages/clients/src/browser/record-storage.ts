import type { BrowserContext } from 'playwright-core'
import { z } from 'zod'
import type { FetchFailure } from '../connect/fetch-error.ts'
import type { Phase, StoredItem } from './browser.ts'
import type { FrameWorld, FrameWorlds } from './frame-worlds.ts'
import type { Setters } from './watch-setters.ts'

/** Per kind and phase. */
const maxStoredItems = 200
/** Of all, since an audit is stored as a whole. */
const maxItems = 1_000
const maxNameLength = 200
const readTimeoutMs = 5_000
/** Databases are listed by another process, for which a page may have much to do. */
const listTimeoutMs = 2_000

interface StoragePage {
  readonly context: BrowserContext
  readonly worlds: FrameWorlds
  readonly setters: Setters
}

type FoundItem = Omit<StoredItem, 'phase'>

const keyOf = ({ kind, name, host }: FoundItem) => `${kind} ${host} ${name}`

/** Collects what a page stores, over all phases and both contexts of a visit. */
export function createStorageRecord() {
  const items: StoredItem[] = []
  const counts = new Map<string, number>()
  /** What the present context contained before a choice, and what it contains now. */
  let initial = new Set<string>()
  let known = new Set<string>()
  let isTooMuch = false
  let isUnread = false

  async function read(page: StoragePage) {
    const found = await readStorage(page)
    isUnread ||= !found.isComplete
    return found
  }

  return {
    /** Begins a context whose page has not been answered. What it contains is that of the phase `before`. */
    async enterContext(page: StoragePage): Promise<void> {
      initial = new Set((await read(page)).items.map(keyOf))
      known = new Set(initial)
    },
    /**
     * Adds what is new in the context. After consent was withdrawn, adds all that is there and was not before a choice,
     * because it was not removed. Returns whether the page's own storage was read in time.
     */
    async add(page: StoragePage, phase: Phase): Promise<boolean> {
      const { items: found, isComplete } = await read(page)
      const old = phase === 'withdrawn' ? initial : known
      for (const item of found) {
        const key = keyOf(item)
        if (old.has(key)) continue
        old.add(key)
        const count = `${phase} ${item.kind}`
        const before = counts.get(count) ?? 0
        counts.set(count, before + 1)
        if (before < maxStoredItems && items.length < maxItems) items.push({ ...item, phase })
        else isTooMuch = true
      }
      return isComplete
    },
    items: (): readonly StoredItem[] => items,
    /** That there was more than is recorded, or that the page's own storage could not be read in time. */
    problems: (): readonly FetchFailure[] => [
      ...(isTooMuch ? [{ code: 'visit_stored_too_much', params: { max: maxStoredItems } } as const] : []),
      ...(isUnread ? [{ code: 'visit_storage_unread' } as const] : []),
    ],
  }
}

async function readStorage({ context, worlds, setters }: StoragePage) {
  const now = Date.now() / 1_000
  const cookies = (await context.cookies()).map(({ name, domain, expires }) => {
    const lifetimeSeconds = expires === -1 ? null : Math.max(0, Math.round(expires - now))
    return { kind: 'cookie', name: name.slice(0, maxNameLength), host: domain, lifetimeSeconds } as const
  })
  const frames = await Promise.all((await worlds.list()).map(readFrame))
  const workers = setters.workers().map((url) => {
    return {
      kind: 'service_worker',
      name: url,
      host: URL.parse(url)?.hostname ?? '',
      lifetimeSeconds: null,
    } as const
  })
  const items = [...cookies, ...frames.flatMap((frame) => frame.items), ...workers]
  return {
    items: items.map((item): FoundItem => ({ ...item, setBy: setters.find(item.kind, item.name) })),
    // Other frames may be gone.
    isComplete: frames.some(({ isTop, isComplete }) => isTop && isComplete),
  }
}

const keys = z.array(z.string())
const frameStorage = z.object({
  host: z.string(),
  local_storage: keys,
  session_storage: keys,
  /** Null if they are not listed in time. */
  indexed_db: keys.nullable(),
})

async function readFrame(world: FrameWorld) {
  // One more than is recorded, so that it is noticed.
  const source = `(${listKeys})(${maxStoredItems + 1}, ${maxNameLength}, ${listTimeoutMs})`
  const found = frameStorage.safeParse(await world.evaluate(source, readTimeoutMs))
  const { isTop } = world
  if (!found.success) return { isTop, items: [], isComplete: false }
  const { host, ...kinds } = found.data
  const items = (['local_storage', 'session_storage', 'indexed_db'] as const).flatMap((kind) =>
    (kinds[kind] ?? []).map((name) => ({ kind, name, host, lifetimeSeconds: null })),
  )
  return { isTop, items, isComplete: kinds.indexed_db !== null }
}

interface Storage {
  readonly length: number
  key(index: number): string | null
}

interface Frame {
  readonly origin: string
  readonly localStorage: Storage
  readonly sessionStorage: Storage
  readonly indexedDB: { databases(): Promise<readonly { readonly name?: string }[]> }
}

/** Runs within a frame's world without access to this module. A frame without an origin may store nothing. */
async function listKeys(max: number, maxLength: number, timeoutMs: number) {
  const frame = globalThis as unknown as Frame
  const namesOf = (name: 'localStorage' | 'sessionStorage') => {
    try {
      const storage = frame[name]
      return Array.from({ length: Math.min(max, storage.length) }, (_, index) =>
        (storage.key(index) ?? '').slice(0, maxLength),
      )
    } catch {
      return []
    }
  }
  const listDatabases = async () => {
    try {
      const databases = await frame.indexedDB.databases()
      return databases.slice(0, max).map(({ name = '' }) => name.slice(0, maxLength))
    } catch {
      return []
    }
  }
  return {
    host: frame.origin === 'null' ? '' : new URL(frame.origin).hostname,
    local_storage: namesOf('localStorage'),
    session_storage: namesOf('sessionStorage'),
    indexed_db: await Promise.race([
      listDatabases(),
      new Promise<null>((resolve) => setTimeout(() => resolve(null), timeoutMs)),
    ]),
  }
}
