import type { TcfConsent } from '@kustos/contract/tracking'

/** The first bits of the fields that are read (IAB Europe's Transparency and Consent String, version 2, core segment). */
const at = {
  version: 0,
  cmpId: 78,
  cmpVersion: 90,
  purposes: 152,
  interests: 176,
  maxVendor: 213,
  isRange: 229,
}
const firstVendor = 230
const purposeCount = 24

/**
 * Parses the core of a consent string; null if it is none. Its time is linear in the string's length, because a page can
 * make it up: ranges of vendors are not expanded.
 */
export function parseTcString(text: string): Omit<TcfConsent, 'phase' | 'tc_string'> | null {
  const core = text.split('.', 1)[0] ?? ''
  if (!/^[\w-]+$/.test(core)) return null
  const bytes = Buffer.from(core, 'base64url')
  const isSet = (bit: number) => (((bytes[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1) === 1
  const read = (bit: number, length: number) => {
    let value = 0
    for (let index = bit; index < bit + length; index++) value = value * 2 + (isSet(index) ? 1 : 0)
    return value
  }
  const listPurposes = (bit: number) =>
    Array.from({ length: purposeCount }, (_, index) => index + 1).filter((id) => isSet(bit + id - 1))

  if (bytes.length * 8 < firstVendor || read(at.version, 6) !== 2) return null
  return {
    cmp_id: read(at.cmpId, 12),
    cmp_version: read(at.cmpVersion, 12),
    purposes: listPurposes(at.purposes),
    legitimate_interests: listPurposes(at.interests),
    vendors: isSet(at.isRange)
      ? countRanges(readRanges(bytes.length * 8, isSet, read))
      : Array.from({ length: read(at.maxVendor, 16) }).filter((_, index) => isSet(firstVendor + index))
          .length,
  }
}

type Range = readonly [first: number, last: number]

function readRanges(
  length: number,
  isSet: (bit: number) => boolean,
  read: (bit: number, length: number) => number,
): Range[] {
  const ranges: Range[] = []
  let bit = firstVendor + 12
  for (let left = read(firstVendor, 12); left > 0 && bit < length; left--) {
    const size = isSet(bit) ? 33 : 17
    const first = read(bit + 1, 16)
    ranges.push([first, size === 33 ? read(bit + 17, 16) : first])
    bit += size
  }
  return ranges
}

/** Counts the numbers in ranges, which may overlap. */
function countRanges(ranges: readonly Range[]): number {
  let count = 0
  let end = 0
  for (const [first, last] of ranges.toSorted(([a], [b]) => a - b)) {
    count += Math.max(0, last - Math.max(first - 1, end))
    end = Math.max(end, last)
  }
  return count
}
