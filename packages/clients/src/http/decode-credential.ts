/** Decodes a user or a password of a URL. A percent sign that encodes nothing is meant literally. */
export function decodeCredential(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
