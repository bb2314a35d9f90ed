import { Transform } from 'node:stream'

/**
 * Events of a page that nobody here reads, of any size and number: Playwright would keep hundreds of them in memory. Chromium
 * begins its messages with the method of an event.
 */
const unread =
  /^\{"method":"(?:Runtime\.(?:consoleAPICalled|exceptionThrown)|Log\.entryAdded|Network\.webSocketFrame(?:Sent|Received|Error))"/
const headLength = 64

/**
 * Creates a stream that passes the messages of Chromium's pipe on, each of which ends with a zero byte, without those that are not
 * read.
 * @param maxBytes of one message
 * @param onTooLarge called when one has more
 */
export function createMessageFilter(maxBytes: number, onTooLarge: () => void): Transform {
  let head = Buffer.alloc(0)
  let length = 0
  let passes: boolean | null = null
  return new Transform({
    transform(chunk: Buffer, _, done) {
      for (let at = 0; at < chunk.length; ) {
        const end = chunk.indexOf(0, at)
        const part = chunk.subarray(at, end === -1 ? chunk.length : end + 1)
        at += part.length
        length += part.length
        if (passes === null) {
          head = Buffer.concat([head, part])
          if (head.length >= headLength || end !== -1) {
            passes = !unread.test(head.toString('latin1', 0, headLength))
            if (passes) this.push(head)
          }
        } else if (passes) this.push(part)
        if (passes === true && length > maxBytes) onTooLarge()
        if (end === -1) continue
        head = Buffer.alloc(0)
        length = 0
        passes = null
      }
      done()
    },
  })
}
