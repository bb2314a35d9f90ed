/** Facts from the output of `plesk bin domain --info`. */
export interface DomainInfo {
  readonly sysuser: string | null
  /** In bytes. */
  readonly disk_usage: number | null
}

/** Reads labels and values; of repeated labels the first counts. */
function labelsIn(text: string): ReadonlyMap<string, string> {
  const labels = new Map<string, string>()
  for (const line of text.split(/\r?\n/)) {
    // Values may contain colons and directly follow a long label.
    const colon = line.indexOf(':')
    const label = line.slice(0, colon).trim()
    if (colon > 0 && label !== '' && !labels.has(label)) labels.set(label, line.slice(colon + 1).trim())
  }
  return labels
}

const used = /^Disk space used by /

/** Reads the output of `--info`: titles over lines of 29 `=`, then `Label:` padded to column 40, and the value. */
export function readInfo(text: string): DomainInfo {
  const labels = labelsIn(text)
  const sizes = [...labels].flatMap(([label, value]) => (used.test(label) ? [parseSizeBytes(value)] : []))
  // If one size is unknown, so is the sum.
  const sum = sizes.reduce((all, size) => (all === null || size === null ? null : all + size), 0)
  return { sysuser: labels.get('FTP Login') || null, disk_usage: sizes.length === 0 ? null : sum }
}

const units: Readonly<Record<string, number>> = { B: 0, KB: 1, MB: 2, GB: 3, TB: 4 }

/** Converts a rounded size such as `96.0 KB` or `1,234.5 MB` to bytes; null if it is invalid. */
export function parseSizeBytes(size: string): number | null {
  const [, figure = '', unit = ''] =
    /^((?:\d{1,15}|\d{1,3}(?:,\d{3}){1,4})(?:\.\d{1,6})?)\s?([KMGT]?B)$/i.exec(size.trim()) ?? []
  const power = units[unit.toUpperCase()]
  const bytes =
    power === undefined ? Number.NaN : Math.round(Number(figure.replaceAll(',', '')) * 1024 ** power)
  return Number.isSafeInteger(bytes) ? bytes : null
}
