import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'

export const channels = ['mail', 'slack', 'telegram', 'teams', 'discord', 'pagerduty', 'webhook'] as const
export type Channel = (typeof channels)[number]

export interface Message {
  readonly id: number
  /** ISO 8601. */
  readonly at: string
  readonly channel: Channel
  /** A mail address, a channel, a chat, a key of PagerDuty or a type of webhook. */
  readonly recipient: string
  /** Null for Slack and Telegram; what happens to the alert for PagerDuty. */
  readonly subject: string | null
  readonly text: string
}

export type MessageStore = ReturnType<typeof openMessageStore>

export const maxMessages = 1_000
const maxTextLength = 20_000

export function openMessageStore(file: string) {
  let messages = existsSync(file) ? readFileSync(file, 'utf8').split('\n').flatMap(parseLine) : []
  let lastId = messages.at(-1)?.id ?? 0
  let linesInFile = messages.length
  messages = messages.slice(-maxMessages)
  const rewrite = () => {
    writeFileSync(`${file}.new`, messages.map(formatLine).join(''), { mode: 0o600 })
    renameSync(`${file}.new`, file)
    linesInFile = messages.length
  }
  rewrite()
  return {
    add({ text, ...rest }: Omit<Message, 'id' | 'at'>): Message {
      lastId += 1
      const at = new Date().toISOString()
      const message = { id: lastId, at, ...rest, text: text.slice(0, maxTextLength) }
      messages = [...messages, message].slice(-maxMessages)
      linesInFile += 1
      if (linesInFile > 2 * maxMessages) rewrite()
      else appendFileSync(file, formatLine(message))
      return message
    },
    /** The newest first. */
    all: (): readonly Message[] => messages.toReversed(),
    clear(): void {
      messages = []
      rewrite()
    },
  }
}

const formatLine = (message: Message) => `${JSON.stringify(message)}\n`

/** A sudden end of the process may have truncated the last line. */
function parseLine(line: string): Message[] {
  try {
    return [JSON.parse(line) as Message]
  } catch {
    return []
  }
}
