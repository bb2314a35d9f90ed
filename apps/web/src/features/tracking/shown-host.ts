const base = 36
const [least, most, skew, damp] = [1, 26, 38, 700] as const

/** How large a step's numbers are expected to be after it (RFC 3492, section 6.1). */
function adapted(delta: number, points: number, isFirst: boolean): number {
  let rest = isFirst ? Math.floor(delta / damp) : delta >> 1
  rest += Math.floor(rest / points)
  let bias = 0
  for (; rest > ((base - least) * most) >> 1; bias += base) rest = Math.floor(rest / (base - least))
  return bias + Math.floor(((base - least + 1) * rest) / (rest + skew))
}

/** A label without its xn-- (RFC 3492, section 6.2). Null where it is no punycode. */
function decoded(label: string): string | null {
  const end = label.lastIndexOf('-')
  const points = [...label.slice(0, Math.max(0, end))].map((letter) => letter.codePointAt(0) ?? 0)
  let [point, at, bias] = [128, 0, 72]
  for (let read = end + 1; read < label.length; ) {
    const before = at
    for (let weight = 1, k = base; ; k += base) {
      const digit = Number.parseInt(label[read] ?? '', base)
      if (Number.isNaN(digit)) return null
      read++
      // Letters count from 0, figures follow them.
      const value = digit < 10 ? digit + 26 : digit - 10
      at += value * weight
      const threshold = Math.min(most, Math.max(least, k - bias))
      if (value < threshold) break
      weight *= base - threshold
    }
    bias = adapted(at - before, points.length + 1, before === 0)
    point += Math.floor(at / (points.length + 1))
    if (point > 0x10ffff) return null
    at %= points.length + 1
    points.splice(at++, 0, point)
  }
  return String.fromCodePoint(...points)
}

/**
 * A host name as staff write it: xn--mller-kva.example is müller.example. What would not lead back to the same name, or
 * has letters of several scripts, stays as it is: it may look like another.
 */
export function shownHost(host: string): string {
  if (!host.includes('xn--')) return host
  const shown = host
    .split('.')
    .map((label) => (label.startsWith('xn--') ? (decoded(label.slice(4)) ?? label) : label))
    .join('.')
  if (!/^[\p{Script=Latin}\p{M}\p{N}.-]+$/u.test(shown)) return host
  try {
    return new URL(`http://${shown}/`).hostname === host ? shown : host
  } catch {
    return host
  }
}

/** The same of the host in each address of a text, and of a text that is a host. */
export const shownAddresses = (text: string): string =>
  text.replace(
    /(^|\/\/)([a-z0-9.-]*xn--[a-z0-9.-]+)/gi,
    (_, lead: string, host: string) => lead + shownHost(host),
  )
