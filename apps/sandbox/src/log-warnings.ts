import { isJsonObject, type JsonObject, parseJsonObject } from './http-service.ts'

const warningLevel = 40
const errorLevel = 50
const repeatAfterMs = 10_000
const maxMessageLength = 160
const maxRemembered = 200

/**
 * A reader for the lines of a JSON log that prints warnings and errors, and the same message only once in ten seconds.
 * @param file where the full log is
 */
export function createWarningPrinter(name: string, file: string, print: (line: string) => void) {
  const printed = new Map<string, { at: number; suppressed: number }>()
  return (line: string): void => {
    // Node and libraries print lines that are not JSON.
    const entry = parseJsonObject(line)
    if (entry === null || !(Number(entry.level) >= warningLevel)) return
    const message = readMessage(entry)
    const previous = printed.get(message)
    if (previous !== undefined && Date.now() - previous.at < repeatAfterMs) {
      previous.suppressed++
      return
    }
    if (printed.size > maxRemembered) printed.clear()
    printed.set(message, { at: Date.now(), suppressed: 0 })
    const suppressed = previous?.suppressed ? `, and ${previous.suppressed} more` : ''
    const level = Number(entry.level) >= errorLevel ? 'error' : 'warning'
    const text = message.length > maxMessageLength ? `${message.slice(0, maxMessageLength)}…` : message
    print(`${name}: ${level}: ${text}${suppressed} (${file})`)
  }
}

function readMessage({ msg, err }: JsonObject): string {
  const error = isJsonObject(err) ? String(err.message ?? '').split('\n')[0] : ''
  return [msg, error].filter(Boolean).join(': ')
}
