import { FetchError } from '../connect/fetch-error.ts'
import type { HttpRequest } from './http-request.ts'

const maxHeaderBytes = 64 * 1024
const maxHeaderLines = 256
/** Before decompression. */
const maxBodyBytes = 256 * 1024

/**
 * Reads an HTTP/1.1 response (RFC 9112) for its status and its end; the body is not decompressed. The status counts only with the
 * end of the body, since a page that breaks off is of no use to visitors.
 */
export interface ResponseReader {
  /** Null until the header is complete. */
  readonly status: number | null
  /** Whether there was nothing but white space in the body. */
  isBlank(): boolean
  /** The first value of a header, if they are kept. @param name in lower case */
  header(name: string): string | null
  /** The body as it came, if it is kept. */
  body(): Buffer
  /** Returns whether there is nothing more to read. @throws {FetchError} if it is not HTTP */
  take(bytes: Buffer): boolean
  /** The connection has ended. @throws {FetchError} if the response has not */
  end(): void
}

export function createResponseReader({
  method,
  keepsHead,
  keepsBody,
}: Pick<HttpRequest, 'method' | 'keepsHead' | 'keepsBody'>): ResponseReader {
  const head = createHeaderReader()
  const content = createContent(keepsBody)
  let status: number | null = null
  let keptLines: readonly string[] = []
  let bodyBytes = 0
  let body: Body = none

  return {
    get status() {
      return status
    },
    isBlank: content.isBlank,
    header: (name) => valuesOf(keptLines, name)[0] ?? null,
    body: content.bytes,
    take(bytes) {
      let rest: Buffer | null = bytes
      while (status === null) {
        rest = head.take(rest)
        if (rest === null) return false
        const read = readHead(head.text())
        // Interim responses such as early hints are skipped.
        if (read.status < 200) continue
        status = read.status
        const isEmpty = method === 'HEAD' || status === 204 || status === 304
        body = isEmpty ? none : bodyOf(read.lines, content.take)
        // They keep all of the first chunk in memory, which costs a probe a few percent.
        if (keepsHead) keptLines = read.lines
      }
      bodyBytes += rest.length
      return body.take(rest) || bodyBytes >= maxBodyBytes
    },
    end() {
      if (status === null) {
        throw new FetchError({ code: head.hasBegun() ? 'response_header_incomplete' : 'response_missing' })
      }
      if (!body.mayEnd) throw new FetchError({ code: 'response_incomplete' })
    },
  }
}

/** Its limits apply to all headers of a connection together. */
function createHeaderReader() {
  let parts: string[] = []
  let size = 0
  let lines = 0
  /** The last characters, in which an empty line may begin. */
  let tail = ''
  return {
    /** Returns what follows the header, or null until it is complete. @throws {FetchError} */
    take(bytes: Buffer): Buffer | null {
      const searched = tail + bytes.toString('latin1')
      const empty = /\r?\n\r?\n/.exec(searched)
      const end = empty === null ? bytes.length : empty.index + empty[0].length - tail.length
      const part = searched.slice(tail.length, tail.length + end)
      size += end
      for (let at = part.indexOf('\n'); at >= 0; at = part.indexOf('\n', at + 1)) lines++
      parts.push(part)
      tail = empty === null ? searched.slice(-3) : ''
      // Another protocol fails at once.
      const beginning = parts.length < 8 ? parts.join('').slice(0, 7) : 'HTTP/1.'
      if (!'HTTP/1.'.startsWith(beginning)) throw notHttp()
      if (lines > maxHeaderLines)
        throw new FetchError({ code: 'response_header_too_many_lines', params: { max: maxHeaderLines } })
      if (size > maxHeaderBytes)
        throw new FetchError({
          code: 'response_header_too_large',
          params: { kibibytes: maxHeaderBytes / 1024 },
        })
      return empty === null ? null : bytes.subarray(end)
    },
    text(): string {
      const text = parts.join('')
      parts = []
      return text
    },
    hasBegun: () => size > 0,
  }
}

interface Body {
  /** Returns whether it has ended. @throws {FetchError} */
  take(bytes: Buffer): boolean
  /** Whether it may end with the connection. */
  readonly mayEnd: boolean
}

const none: Body = { take: () => true, mayEnd: true }

/** Takes a part of the body. */
type TakeContent = (bytes: Buffer, from: number, to: number) => void

/** Notes whether the body is blank; that costs nothing after its first character. */
function createContent(keeps: boolean) {
  let isBlank = true
  const kept: Buffer[] = []
  return {
    isBlank: () => isBlank,
    bytes: () => Buffer.concat(kept),
    take(bytes: Buffer, from: number, to: number): void {
      for (let at = from; isBlank && at < to; at++) isBlank = isSpace(bytes[at] ?? 0)
      // A copy, since the buffer is that of all connections.
      if (keeps) kept.push(Buffer.from(bytes.subarray(from, to)))
    },
  }
}

/** A space, a control, or a byte of the byte order mark. */
const isSpace = (byte: number) => byte <= 32 || byte === 0xef || byte === 0xbb || byte === 0xbf

const notHttp = () => new FetchError({ code: 'response_not_http' })

function readHead(head: string): { readonly status: number; readonly lines: readonly string[] } {
  const [first = '', ...lines] = head.split(/\r?\n/)
  const status = Number(/^HTTP\/1\.[01] ([1-9]\d\d)(?: |$)/.exec(first)?.[1])
  // 101 would switch to another protocol.
  if (Number.isNaN(status) || status === 101) throw notHttp()
  return { status, lines }
}

const valuesOf = (lines: readonly string[], name: string): string[] =>
  lines.flatMap((line) => {
    const colon = line.indexOf(':')
    return colon > 0 && line.slice(0, colon).toLowerCase() === name ? [line.slice(colon + 1).trim()] : []
  })

function bodyOf(lines: readonly string[], takeContent: TakeContent): Body {
  const codings = valuesOf(lines, 'transfer-encoding').join(',').toLowerCase()
  // Transfer-Encoding overrides Content-Length (RFC 9112, 6.3).
  if (codings !== '') return /(^|,)\s*chunked$/.test(codings) ? chunked(takeContent) : untilEnd(takeContent)
  const lengths = new Set(valuesOf(lines, 'content-length').flatMap((value) => value.split(/\s*,\s*/)))
  const [length] = lengths
  if (length === undefined) return untilEnd(takeContent)
  if (lengths.size > 1 || !/^\d{1,15}$/.test(length))
    throw new FetchError({ code: 'response_length_unusable' })
  return ofLength(Number(length), takeContent)
}

const untilEnd = (takeContent: TakeContent): Body => ({
  take(bytes) {
    takeContent(bytes, 0, bytes.length)
    return false
  },
  mayEnd: true,
})

function ofLength(length: number, takeContent: TakeContent): Body {
  let left = length
  return {
    take(bytes) {
      takeContent(bytes, 0, Math.min(left, bytes.length))
      left -= bytes.length
      return left <= 0
    },
    get mayEnd() {
      return left <= 0
    },
  }
}

const maxChunkBytes = 2 ** 48

/** RFC 9112, 7.1; extensions and trailers are skipped. */
function chunked(takeContent: TakeContent): Body {
  let inside: 'size' | 'extension' | 'bytes' | 'after bytes' | 'trailer' = 'size'
  /** Bytes left of the chunk; null before the first digit of its size. */
  let left: number | null = null
  /** Length of the trailer's line so far. */
  let line = 0

  /** Takes a byte outside of chunks and returns whether the body has ended with it. */
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
        if (left > maxChunkBytes) throw malformed()
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
          takeContent(bytes, at, at + step)
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

const malformed = () => new FetchError({ code: 'response_chunks_malformed' })

function hexadecimal(byte: number): number | null {
  if (byte >= 48 && byte <= 57) return byte - 48
  const letter = byte | 32
  return letter >= 97 && letter <= 102 ? letter - 87 : null
}
