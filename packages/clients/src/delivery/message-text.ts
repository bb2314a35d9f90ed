/** In UTF-16 code units. */
const maxLineLength = 500

/**
 * Makes a text one line without control characters, line breaks, and invisible characters that change the direction of
 * text.
 */
export function toOneLine(text: string, most = maxLineLength): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
  if (line.length <= most) return line
  // A surrogate pair must not be split.
  return `${line.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}

/**
 * Makes each line one line and keeps as many as fit, followed by how many are left out.
 * @param most length of all lines with their line breaks, measured by `lengthOf`
 */
export function truncateToLimit(
  lines: readonly string[],
  most: number,
  lengthOf: (line: string) => number,
): readonly string[] {
  const single = lines.map((line) => toOneLine(line))
  const lengths = single.map((line) => lengthOf(line) + 1)
  if (lengths.reduce((sum, length) => sum + length, 0) <= most) return single
  const roomForNote = 30
  let kept = 0
  for (let taken = roomForNote; kept < single.length; kept++) {
    taken += lengths[kept] ?? 0
    if (taken > most) break
  }
  return [...single.slice(0, kept), `… and ${single.length - kept} more lines`]
}

/**
 * Escapes the characters that are markup in Slack's texts (https://docs.slack.dev/messaging/formatting-message-text) and
 * Telegram's HTML (https://core.telegram.org/bots/api#html-style).
 */
export const escapeMarkup = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
