/** How far into a page its own word on its encoding counts (HTML standard, "prescan a byte stream"). */
const prescanned = 1024

/**
 * A text as browsers read it: a byte order mark counts before the header, the header before what the page says itself.
 * Where nobody says anything it is UTF-8, unless it cannot be; then it is what browsers here take old pages for.
 * @param contentType the header, with its parameters
 */
export function textOf(bytes: Buffer, contentType: string): string {
  const label = markOf(bytes) ?? /charset\s*=\s*["']?([^\s"';]+)/i.exec(contentType)?.[1] ?? declaredIn(bytes)
  if (label !== null) {
    const text = decoded(bytes, label, false)
    if (text !== null) return text
  }
  return decoded(bytes, 'utf-8', true) ?? decoded(bytes, 'windows-1252', false) ?? ''
}

function markOf(bytes: Buffer): string | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return null
}

function declaredIn(bytes: Buffer): string | null {
  const start = bytes
    .subarray(0, prescanned)
    .toString('latin1')
    .replace(/<!--[\s\S]*?(-->|$)/g, '')
  const label = /<meta\b[^>]{0,300}?charset\s*=\s*["']?\s*([\w:.-]{1,40})/i.exec(start)?.[1] ?? null
  // Who can read this declaration does not read UTF-16.
  return label !== null && /^utf-?16/i.test(label) ? 'utf-8' : label
}

/** @returns null where there is no such encoding, or where a strict one finds what it has not */
function decoded(bytes: Buffer, label: string, strict: boolean): string | null {
  try {
    // What is cut may end within a character.
    return new TextDecoder(label, { fatal: strict }).decode(bytes, { stream: true })
  } catch {
    return null
  }
}
