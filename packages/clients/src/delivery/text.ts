/** Longer lines carry no news. In UTF-16 units. */
const longestLine = 500

/**
 * A text as one line that cannot pass for more than it is: without control characters, line breaks, and the invisible
 * characters that turn the direction of what follows.
 */
export function oneLine(text: string, most = longestLine): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
  if (line.length <= most) return line
  // Not between the halves of a surrogate pair.
  return `${line.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}

/**
 * As many of the lines as there is room for, and how many are left out.
 * @param most of all lines, their line breaks included, as `lengthOf` counts
 */
export function fitting(
  lines: readonly string[],
  most: number,
  lengthOf: (line: string) => number,
): readonly string[] {
  const lengths = lines.map((line) => lengthOf(line) + 1)
  if (lengths.reduce((sum, length) => sum + length, 0) <= most) return lines
  const roomForNote = 30
  let kept = 0
  for (let taken = roomForNote; kept < lines.length; kept++) {
    taken += lengths[kept] ?? 0
    if (taken > most) break
  }
  return [...lines.slice(0, kept), `… and ${lines.length - kept} more lines`]
}

/**
 * The three characters that Slack's texts (https://docs.slack.dev/messaging/formatting-message-text) and Telegram's HTML
 * (https://core.telegram.org/bots/api#html-style) read, as the entities that both know.
 */
export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
