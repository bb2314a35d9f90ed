/** Parses a `data:` URL (RFC 2397) into its type without parameters and its text; null for other addresses. */
export function parseDataUrl(
  address: string | undefined,
): { readonly type: string; readonly text: string } | null {
  const [all, meta = ''] = /^\s{0,20}data:([^,]{0,200}),/i.exec(address ?? '') ?? []
  if (address === undefined || all === undefined) return null
  const type = (meta.split(';')[0] ?? '').trim().toLowerCase()
  const rest = address.slice(all.length)
  if (/;\s*base64\s*$/i.test(meta)) return { type, text: Buffer.from(unescaped(rest), 'base64').toString() }
  return { type, text: unescaped(rest) }
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // Browsers keep invalid percent signs.
    return text
  }
}
