import type { WebSummary } from '@kustos/contract/web-summary'

export interface FrameworkCount {
  readonly name: string
  /** The major version, which decides on support; null if unknown. */
  readonly version: string | null
  readonly count: number
}

/** The frameworks of webs by major version, those of most webs first. Webs without a framework do not count. */
export function countFrameworks(
  webs: readonly Pick<WebSummary, 'framework_name' | 'framework_version'>[],
): FrameworkCount[] {
  const counts = new Map<string, FrameworkCount>()
  for (const { framework_name: name, framework_version } of webs) {
    if (name === null) continue
    const version = /[1-9]\d*/.exec(framework_version ?? '')?.[0] ?? null
    const key = `${name.toLowerCase()} ${version}`
    const { name: first = name, count = 0 } = counts.get(key) ?? {}
    counts.set(key, { name: first, version, count: count + 1 })
  }
  return [...counts.values()].sort((a, b) => b.count - a.count || a.name.localeCompare(b.name))
}
