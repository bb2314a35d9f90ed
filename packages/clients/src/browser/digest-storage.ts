import type { OpenedPage } from './run-phase.ts'

/** A choice is stored a moment after it was made. */
export const settleMs = 500

/** Returns a text that changes with the values of cookies and of the page's storage. */
export async function digestStorage({ context, instruments }: OpenedPage): Promise<string> {
  const cookies = (await context.cookies()).map(({ name, domain, value }) => `${domain} ${name}=${value}`)
  const top = (await instruments.worlds.list()).find(({ isTop }) => isTop)
  return `${cookies.sort().join('\n')}\n${String(await top?.evaluate(`(${hashStorage})()`))}`
}

/** Runs within the page's world without access to this module. A page without an origin stores nothing. */
function hashStorage(): string {
  const [maxKeys, maxLength] = [500, 10_000]
  const { localStorage: local, sessionStorage: session } = globalThis as unknown as Readonly<
    Record<'localStorage' | 'sessionStorage', Readonly<Record<string, string>>>
  >
  let hash = 0
  for (const [key, value] of [...Object.entries(local), ...Object.entries(session)].slice(0, maxKeys))
    for (const letter of `${key}=${value.slice(0, maxLength)};`)
      hash = (Math.imul(hash, 31) + (letter.codePointAt(0) ?? 0)) | 0
  return String(hash)
}
