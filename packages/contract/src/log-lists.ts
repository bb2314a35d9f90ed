/** Names of removed and added entries of a list. */
export interface ListChange {
  readonly removed: readonly string[]
  readonly added: readonly string[]
}

function nameOf(thing: unknown): string | null {
  if (typeof thing === 'string' || typeof thing === 'number') return String(thing)
  if (typeof thing !== 'object' || thing === null) return null
  if ('name' in thing && typeof thing.name === 'string') return thing.name
  if ('fqdn' in thing && typeof thing.fqdn === 'string') return thing.fqdn
  return null
}

function byName(list: readonly unknown[]): ReadonlyMap<string, string> | null {
  const named = new Map<string, string>()
  for (const thing of list) {
    const name = nameOf(thing)
    if (name === null) return null
    named.set(name, JSON.stringify(thing))
  }
  return named.size === list.length ? named : null
}

/**
 * The entries that were removed from and added to a list. Null if that is not the whole difference: for values that are no
 * lists, entries without a unique name, changed entries, and a new order.
 */
export function listChange(old: unknown, now: unknown): ListChange | null {
  if (!Array.isArray(old) || !Array.isArray(now)) return null
  const [before, after] = [byName(old), byName(now)]
  if (before === null || after === null) return null
  if ([...before].some(([name, thing]) => after.has(name) && after.get(name) !== thing)) return null
  const removed = [...before.keys()].filter((name) => !after.has(name))
  const added = [...after.keys()].filter((name) => !before.has(name))
  return removed.length + added.length === 0 ? null : { removed, added }
}

/** On one line: "− edit webs, + view queue". */
export const listChangeText = ({ removed, added }: ListChange): string =>
  [...removed.map((name) => `− ${name}`), ...added.map((name) => `+ ${name}`)].join(', ')
