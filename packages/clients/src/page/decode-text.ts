import { isUtf8 } from 'node:buffer'

/** Length in which a page may declare its encoding (HTML standard, "prescan a byte stream"). */
const prescanBytes = 1024

/**
 * Decodes a text as browsers do: by its byte order mark, the Content-Type header, the page's own declaration, as UTF-8 if
 * it is valid, or as Windows-1252.
 * @param contentType the header with its parameters
 */
export function decodeText(bytes: Buffer, contentType: string): string {
  const label =
    byteOrderMark(bytes) ??
    /charset\s*=\s*["']?([^\s"';]+)/i.exec(contentType)?.[1] ??
    declaredEncoding(bytes)
  if (label !== null) {
    const text = decode(bytes, label, false)
    if (text !== null) return text
  }
  const text = decode(bytes, 'utf-8', true)
  // A last letter of Windows-1252 is like the beginning of a character that was truncated.
  const isUndecided = text !== null && /^\p{ASCII}*$/u.test(text) && !isUtf8(bytes)
  return (isUndecided ? null : text) ?? decode(bytes, 'windows-1252', false) ?? ''
}

/**
 * Decodes the target of a redirect as browsers do: some servers send the non-ASCII characters of an address as UTF-8.
 * @param location the header, as Latin-1
 */
export function decodeLocation(location: string): string {
  const bytes = Buffer.from(location, 'latin1')
  return isUtf8(bytes) ? bytes.toString('utf8') : location
}

function byteOrderMark(bytes: Buffer): string | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return null
}

function declaredEncoding(bytes: Buffer): string | null {
  const start = bytes
    .subarray(0, prescanBytes)
    .toString('latin1')
    .replace(/<!--[\s\S]*?(-->|$)/g, '')
  const label = /<meta\b[^>]{0,300}?charset\s*=\s*["']?\s*([\w:.-]{1,40})/i.exec(start)?.[1] ?? null
  // In UTF-16 this declaration would not have been found.
  return label !== null && /^utf-?16/i.test(label) ? 'utf-8' : label
}

/** Returns null for an unknown encoding or, if strict, an invalid text. */
function decode(bytes: Buffer, label: string, strict: boolean): string | null {
  try {
    // A truncated text may end within a character.
    return new TextDecoder(label, { fatal: strict }).decode(bytes, { stream: true })
  } catch {
    return null
  }
}
