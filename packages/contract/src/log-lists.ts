/** What a list lost and gained, by what its things are called. */
export interface ListChange {
  readonly removed: readonly string[]
  readonly added: readonly string[]
}

/** What a thing of a list is called: a text or a number is its own name. */
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
 * What was taken out of a list and what came into it. Null where that does not tell all: for what is not a list, things
 * without a name or with one twice, things that changed themselves, and a mere change of order.
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

/** The same on one line: "− edit webs, + view queue". */
export const listChangeText = ({ removed, added }: ListChange): string =>
  [...removed.map((name) => `− ${name}`), ...added.map((name) => `+ ${name}`)].join(', ')
