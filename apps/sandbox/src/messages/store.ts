import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'

export const channels = ['mail', 'slack', 'telegram'] as const
export type Channel = (typeof channels)[number]

/** What was sent to somebody by Kustos. */
export interface Message {
  readonly id: number
  /** ISO 8601. */
  readonly at: string
  readonly channel: Channel
  /** A mail address, a Slack webhook's channel, a Telegram chat. */
  readonly recipient: string
  /** Mails have one. */
  readonly subject: string | null
  readonly text: string
}

export interface MessageStore {
  add(message: Omit<Message, 'id' | 'at'>): Message
  /** The newest first. */
  all(): readonly Message[]
  clear(): void
}

/** How many are kept. */
export const mostMessages = 1_000
/** Characters of a text. */
const longestText = 20_000

/** Keeps messages from one start to the next, as lines of JSON. */
export function openMessages(file: string): MessageStore {
  let messages = existsSync(file) ? readFileSync(file, 'utf8').split('\n').flatMap(parse) : []
  let id = messages.at(-1)?.id ?? 0
  // Lines that are in the file, of which the oldest count no more.
  let lines = messages.length
  messages = messages.slice(-mostMessages)
  const rewrite = () => {
    writeFileSync(`${file}.new`, messages.map(line).join(''), { mode: 0o600 })
    renameSync(`${file}.new`, file)
    lines = messages.length
  }
  rewrite()
  return {
    add({ text, ...rest }) {
      id += 1
      const message = { id, at: new Date().toISOString(), ...rest, text: text.slice(0, longestText) }
      messages = [...messages, message].slice(-mostMessages)
      lines += 1
      if (lines > 2 * mostMessages) rewrite()
      else appendFileSync(file, line(message))
      return message
    },
    all: () => messages.toReversed(),
    clear() {
      messages = []
      rewrite()
    },
  }
}

const line = (message: Message) => `${JSON.stringify(message)}\n`

/** None where the line was cut off by a sudden end. */
function parse(text: string): Message[] {
  try {
    const message: Message = JSON.parse(text)
    return [message]
  } catch {
    return []
  }
}
