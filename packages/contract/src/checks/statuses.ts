type Range = readonly [from: number, to: number]

const range = /^([2-5]\d\d)(?:\s*-\s*([2-5]\d\d))?$/

/**
 * Reads statuses such as `200-399, 401`.
 * @returns them in order, with adjoining ones as ranges; null if the text is none
 */
export function readStatuses(text: string): readonly Range[] | null {
  const ranges: Range[] = []
  for (const part of text.split(',')) {
    const [, from, to = from] = range.exec(part.trim()) ?? []
    if (from === undefined || Number(to) < Number(from)) return null
    ranges.push([Number(from), Number(to)])
  }
  return joinRanges(ranges)
}

function joinRanges(ranges: readonly Range[]): readonly Range[] {
  const joined: Range[] = []
  for (const [from, to] of ranges.toSorted(([a], [b]) => a - b)) {
    const last = joined.at(-1)
    if (last === undefined || from > last[1] + 1) joined.push([from, to])
    else joined[joined.length - 1] = [last[0], Math.max(last[1], to)]
  }
  return joined
}

/** The inverse of `readStatuses`: without spaces, as statuses are stored. */
export const writeStatuses = (ranges: readonly Range[]): string =>
  ranges.map(([from, to]) => (from === to ? from : `${from}-${to}`)).join(',')

export const hasStatus = (ranges: readonly Range[], status: number): boolean =>
  ranges.some(([from, to]) => status >= from && status <= to)
