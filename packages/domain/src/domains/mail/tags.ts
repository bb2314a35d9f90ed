/** Reads a list of tags such as `v=DMARC1; p=none` (RFC 6376, 3.2), in lower case; null if it is none. */
export function parseTags(text: string): ReadonlyMap<string, string> | null {
  const tags = new Map<string, string>()
  for (const part of text.split(';')) {
    if (part.trim() === '') continue
    // Trimmed afterwards: an expression that leaves out the spaces at the end takes seconds for the longest texts.
    const [, name, value = ''] = /^\s*([a-z][a-z0-9_]*)\s*=(.*)$/is.exec(part) ?? []
    if (name === undefined || tags.has(name.toLowerCase())) return null
    tags.set(name.toLowerCase(), value.trim())
  }
  return tags
}
