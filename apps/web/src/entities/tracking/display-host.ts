const base = 36
const [least, most, skew, damp] = [1, 26, 38, 700] as const

/** Bias adaptation (RFC 3492, section 6.1). */
function adaptBias(delta: number, points: number, isFirst: boolean): number {
  let rest = isFirst ? Math.floor(delta / damp) : delta >> 1
  rest += Math.floor(rest / points)
  let bias = 0
  for (; rest > ((base - least) * most) >> 1; bias += base) rest = Math.floor(rest / (base - least))
  return bias + Math.floor(((base - least + 1) * rest) / (rest + skew))
}

/** Decodes a label without its xn-- (RFC 3492, section 6.2); null if it is invalid. */
function decodePunycode(label: string): string | null {
  const end = label.lastIndexOf('-')
  const points = [...label.slice(0, Math.max(0, end))].map((letter) => letter.codePointAt(0) ?? 0)
  let [point, at, bias] = [128, 0, 72]
  for (let read = end + 1; read < label.length; ) {
    const before = at
    for (let weight = 1, k = base; ; k += base) {
      const digit = Number.parseInt(label[read] ?? '', base)
      if (Number.isNaN(digit)) return null
      read++
      // Letters are 0 to 25, digits 26 to 35.
      const value = digit < 10 ? digit + 26 : digit - 10
      at += value * weight
      const threshold = Math.min(most, Math.max(least, k - bias))
      if (value < threshold) break
      weight *= base - threshold
    }
    bias = adaptBias(at - before, points.length + 1, before === 0)
    point += Math.floor(at / (points.length + 1))
    if (point > 0x10ffff) return null
    at %= points.length + 1
    points.splice(at++, 0, point)
  }
  return String.fromCodePoint(...points)
}

/**
 * A host name for display: xn--mller-kva.example becomes müller.example. A name that mixes scripts or does not
 * encode to the same name stays encoded, because it may imitate another.
 */
export function displayHost(host: string): string {
  if (!host.includes('xn--')) return host
  const shown = host
    .split('.')
    .map((label) => (label.startsWith('xn--') ? (decodePunycode(label.slice(4)) ?? label) : label))
    .join('.')
  if (!/^[\p{Script=Latin}\p{M}\p{N}._-]+$/u.test(shown)) return host
  try {
    return new URL(`http://${shown}/`).hostname === host ? shown : host
  } catch {
    return host
  }
}

/** Applies `displayHost` to the hosts of all URLs in a text. */
export const displayUrls = (text: string): string =>
  text.replace(
    /(^|\/\/)([a-z0-9.-]*xn--[a-z0-9.-]+)/gi,
    (_, lead: string, host: string) => lead + displayHost(host),
  )
