import { ProbeFailure } from './failure.ts'

/** An answer's header may have that many bytes and lines, as many as any browser or server would bear. */
const largestHeader = 64 * 1024
const mostLines = 256
/** Of the body, in bytes as they come. */
const largestBody = 256 * 1024

/**
 * One answer in HTTP/1.1 (RFC 9112), read for its status and its end alone: nothing of the body is kept or unpacked. The
 * status counts with the end, or with as much of the body as is read: a page that stops in the middle is none to its
 * visitors, and a server that drips it byte by byte would otherwise be up for ever.
 */
export interface Answer {
  /** Null while the header is not whole. */
  readonly status: number | null
  /** @returns whether that was all there is to read. @throws {ProbeFailure} where it is not HTTP */
  take(bytes: Buffer): boolean
  /** The other side has ended. @throws {ProbeFailure} where the answer had not */
  end(): void
}

export function openAnswer(): Answer {
  const head = openHead()
  let status: number | null = null
  let bodyBytes = 0
  /** Set with the header. */
  let body: Body = untilEnd

  return {
    get status() {
      return status
    },
    take(bytes) {
      let rest: Buffer | null = bytes
      while (status === null) {
        rest = head.take(rest)
        if (rest === null) return false
        const read = readHead(head.text())
        // What comes before the answer itself, early hints for instance, is passed over.
        if (read.status >= 200) ({ status, body } = read)
      }
      bodyBytes += rest.length
      return body.take(rest) || bodyBytes >= largestBody
    },
    end() {
      if (status === null) {
        throw new ProbeFailure(
          head.begun()
            ? "the connection was closed within the answer's header"
            : 'the connection was closed without an answer',
        )
      }
      if (!body.mayEnd) throw new ProbeFailure('the connection was closed within the answer')
    },
  }
}

/** Collects headers; its limits count for all of one connection together. */
function openHead() {
  let parts: string[] = []
  let size = 0
  let lines = 0
  /** As much of what came as an empty line may begin in. */
  let tail = ''
  return {
    /** @returns what follows a header; null where it is not whole yet. @throws {ProbeFailure} */
    take(bytes: Buffer): Buffer | null {
      const searched = tail + bytes.toString('latin1')
      const empty = /\r?\n\r?\n/.exec(searched)
      const end = empty === null ? bytes.length : empty.index + empty[0].length - tail.length
      const part = searched.slice(tail.length, tail.length + end)
      size += end
      for (let at = part.indexOf('\n'); at >= 0; at = part.indexOf('\n', at + 1)) lines++
      parts.push(part)
      tail = empty === null ? searched.slice(-3) : ''
      // What speaks something else is not waited for.
      const beginning = parts.length < 8 ? parts.join('').slice(0, 7) : 'HTTP/1.'
      if (!'HTTP/1.'.startsWith(beginning)) throw notHttp()
      if (lines > mostLines) throw new ProbeFailure(`the answer's header has more than ${mostLines} lines`)
      if (size > largestHeader)
        throw new ProbeFailure(`the answer's header is longer than ${largestHeader / 1024} KiB`)
      return empty === null ? null : bytes.subarray(end)
    },
    /** The header that has just become whole. */
    text(): string {
      const text = parts.join('')
      parts = []
      return text
    },
    begun: () => size > 0,
  }
}

/** How a body says that it has ended. */
interface Body {
  /** @returns whether it has ended. @throws {ProbeFailure} */
  take(bytes: Buffer): boolean
  /** Whether the end of the connection is its own. */
  readonly mayEnd: boolean
}

const untilEnd: Body = { take: () => false, mayEnd: true }
const none: Body = { take: () => true, mayEnd: true }

const notHttp = () => new ProbeFailure('the answer is not HTTP')

function readHead(head: string): { readonly status: number; readonly body: Body } {
  const [first = '', ...lines] = head.split(/\r?\n/)
  const status = Number(/^HTTP\/1\.[01] ([1-9]\d\d)(?: |$)/.exec(first)?.[1])
  // Nobody asked for another protocol, which 101 would begin.
  if (Number.isNaN(status) || status === 101) throw notHttp()
  return { status, body: status === 204 || status === 304 ? none : bodyOf(lines) }
}

function bodyOf(lines: readonly string[]): Body {
  const values = (name: string) =>
    lines.flatMap((line) => {
      const colon = line.indexOf(':')
      return colon > 0 && line.slice(0, colon).toLowerCase() === name ? [line.slice(colon + 1).trim()] : []
    })
  const codings = values('transfer-encoding').join(',').toLowerCase()
  // Where both are there, the encoding counts (RFC 9112, 6.3).
  if (codings !== '') return /(^|,)\s*chunked$/.test(codings) ? chunked() : untilEnd
  const lengths = new Set(values('content-length').flatMap((value) => value.split(/\s*,\s*/)))
  const [length] = lengths
  if (length === undefined) return untilEnd
  if (lengths.size > 1 || !/^\d{1,15}$/.test(length))
    throw new ProbeFailure('the answer tells no usable Content-Length')
  return ofLength(Number(length))
}

function ofLength(length: number): Body {
  let left = length
  return {
    take(bytes) {
      left -= bytes.length
      return left <= 0
    },
    get mayEnd() {
      return left <= 0
    },
  }
}

/** More than any body that is read. */
const largestChunk = 2 ** 48

/** RFC 9112, 7.1. Extensions and trailers are passed over. */
function chunked(): Body {
  let inside: 'size' | 'extension' | 'bytes' | 'after bytes' | 'trailer' = 'size'
  /** Of the chunk; null before its size's first digit. */
  let left: number | null = null
  /** Of the trailer's line so far. */
  let line = 0

  /** @returns whether the body has ended with this byte, which is none of a chunk's own */
  function takeFraming(byte: number): boolean {
    const endsLine = byte === 10
    if (inside === 'trailer') {
      if (endsLine && line === 0) return true
      if (byte !== 13) line = endsLine ? 0 : line + 1
    } else if (inside === 'after bytes') {
      if (byte !== 13 && !endsLine) throw malformed()
      if (endsLine) inside = 'size'
    } else {
      const digit = inside === 'size' ? hexadecimal(byte) : null
      if (digit !== null) {
        left = (left ?? 0) * 16 + digit
        if (left > largestChunk) throw malformed()
      } else {
        if (left === null) throw malformed()
        inside = 'extension'
        if (endsLine) inside = left === 0 ? 'trailer' : 'bytes'
      }
    }
    return false
  }

  return {
    take(bytes) {
      for (let at = 0; at < bytes.length; ) {
        if (inside === 'bytes' && left !== null) {
          const step = Math.min(left, bytes.length - at)
          left -= step
          at += step
          if (left === 0) {
            left = null
            inside = 'after bytes'
          }
        } else if (takeFraming(bytes[at++] ?? 0)) return true
      }
      return false
    },
    mayEnd: false,
  }
}

const malformed = () => new ProbeFailure("the answer's chunks are malformed")

function hexadecimal(byte: number): number | null {
  if (byte >= 48 && byte <= 57) return byte - 48
  const letter = byte | 32
  return letter >= 97 && letter <= 102 ? letter - 87 : null
}
