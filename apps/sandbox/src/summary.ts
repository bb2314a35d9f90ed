/** Shows on the console what in a log of JSON lines is a warning or worse. */
export interface Summary {
  read(line: string): void
}

const warning = 40
/** The same message is shown once within this time, in milliseconds. */
const quiet = 10_000
const longest = 160

export function summarise(name: string, file: string, say: (line: string) => void): Summary {
  const shown = new Map<string, { at: number; more: number }>()
  return {
    read(line) {
      const found = read(line)
      if (found === null) return
      const before = shown.get(found.message)
      if (before !== undefined && Date.now() - before.at < quiet) {
        before.more++
        return
      }
      // Messages are few; should they carry something that varies, the oldest are forgotten.
      if (shown.size > 200) shown.clear()
      shown.set(found.message, { at: Date.now(), more: 0 })
      const again = before !== undefined && before.more > 0 ? `, and ${before.more} more since` : ''
      const text = found.message.length > longest ? `${found.message.slice(0, longest)}…` : found.message
      say(`${name}: ${found.level}: ${text}${again} (${file})`)
    },
  }
}

function read(line: string): { level: string; message: string } | null {
  const entry = parse(line)
  // Not ours: what Node itself or a library has to say on stderr.
  if (entry === null) return null
  const level = Number(entry.level)
  if (!(level >= warning)) return null
  const error = isRecord(entry.err) ? String(entry.err.message ?? '').split('\n')[0] : ''
  const message = [entry.msg, error].filter(Boolean).join(': ')
  return { level: level >= 50 ? 'error' : 'warning', message }
}

function parse(line: string): Record<string, unknown> | null {
  try {
    const entry: unknown = JSON.parse(line)
    return isRecord(entry) ? entry : null
  } catch {
    return null
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
