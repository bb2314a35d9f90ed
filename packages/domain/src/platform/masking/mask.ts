import { cutMark } from '@kustos/clients/runner'
import type { Message, MessageParams } from '@kustos/contract/messages'
import { patternOf, spellingsOf } from './known-secrets.ts'
import { masked, maskForms } from './patterns.ts'

export type Mask = ReturnType<typeof createMask>

/** Masks known secrets, and what looks like one, in text from outside. */
export function createMask(secrets: readonly string[]) {
  const spellings = spellingsOf(secrets)
  const known = patternOf(spellings)
  const findPrefix = createPrefixFinder(spellings)
  function maskText(text: string): string {
    const shown = known === null ? text : text.replace(known, masked)
    // A text that was shortened may end with the beginning of a secret.
    const prefix = shown.endsWith('…') ? findPrefix(shown.slice(0, -1)) : 0
    return maskForms(prefix < minPrefix ? shown : `${shown.slice(0, -1 - prefix)}${masked}…`)
  }
  const maskMessage = ({ code, params }: Message): Message =>
    params === undefined ? { code } : { code, params: maskParams(params) }
  const maskParams = (params: MessageParams): MessageParams =>
    Object.fromEntries(
      Object.entries(params).map(([name, param]) => [
        name,
        typeof param === 'string' ? maskText(param) : typeof param === 'object' ? maskMessage(param) : param,
      ]),
    )
  return {
    text: maskText,
    message: maskMessage,
    /** @param onLine receives the masked lines of a stream */
    stream: (onLine: (line: string) => void) => maskStream(findPrefix, known, onLine),
  }
}

/** A line that ends with this many characters of a secret is held back until the next one shows whether it continues. */
const minPrefix = 4

/** More lines than this between the parts of a secret are not held back: there may be millions of empty ones. */
const maxHeld = 1_000

/** The lines after the first one of a private key. */
const keyLine = /^\s*(?:[A-Za-z0-9+/=]*|[\w-]+: .*|-----END .*)\s*$/
/** A line that continues the token at the end of the previous line. */
const wrappedToken = /^\s*(?=\S*\d)[\w.~+/=-]{8,}\s*$/

/** Masks secrets in the lines of a stream, also those that lines or the end of the stream split. */
function maskStream(findPrefix: PrefixFinder, known: RegExp | null, onLine: (line: string) => void) {
  let held: string[] = []
  /** The end of the last line, if a secret may begin in its last few characters. */
  let before = ''
  let isInKey = false
  let endsWithToken = false

  function emit(line: string) {
    if (isInKey && keyLine.test(line)) {
      endsWithToken = false
      isInKey = !line.includes('-----END ')
      return onLine(masked)
    }
    if (endsWithToken && wrappedToken.test(line)) return onLine(masked)
    const shown = maskForms(line)
    isInKey = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?!.*-----END )/.test(line)
    endsWithToken = shown !== line && shown.endsWith(masked)
    onLine(shown)
  }

  /**
   * @param isLast whether nothing follows that could be the rest of a secret
   * @param mark added to the last line
   */
  function release(isLast: boolean, mark = '') {
    // The lines without what separates them.
    let joined = before
    const spans = held.map((line) => {
      const text = line.trim()
      const from = joined.length
      joined += text
      return { line, from, to: joined.length, indent: line.indexOf(text) }
    })
    const secrets =
      known === null
        ? []
        : [...joined.matchAll(known)].map(({ index, 0: { length } }) => ({ from: index, to: index + length }))
    const prefix = findPrefix(joined.slice(secrets.at(-1)?.to))
    const from = joined.length - prefix
    let emitted = spans.length
    if (prefix >= minPrefix && isLast) secrets.push({ from, to: joined.length })
    if (prefix >= minPrefix && !isLast) {
      emitted = spans.findIndex(({ to }) => to > from)
      // A secret that ends in a line that is held is found again only with its beginning.
      const splits = (at = 0) => secrets.some((secret) => secret.from < at && secret.to > at)
      while (emitted > 0 && splits(spans[emitted]?.from)) emitted -= 1
    }
    for (const [index, { line, indent, ...span }] of spans.slice(0, emitted).entries()) {
      let shown = line
      for (const secret of secrets.toReversed()) {
        const [start, end] = [Math.max(secret.from, span.from), Math.min(secret.to, span.to)]
        if (start >= end) continue
        const at = indent - span.from
        shown = shown.slice(0, at + start) + masked + shown.slice(at + end)
      }
      emit(index === spans.length - 1 ? shown + mark : shown)
    }
    held = held.slice(emitted)
    if (held.length === 0) before = isLast ? '' : joined.slice(from)
    else if (emitted > 0) before = ''
  }

  return {
    write(line: string): void {
      const isCut = line.endsWith(cutMark)
      held.push(isCut ? line.slice(0, -cutMark.length) : line)
      const isLast = isCut || held.length > maxHeld
      // An empty line continues nothing, and lets go of nothing that is held.
      if (!isLast && held.length > 1 && line.trim() === '') return
      release(isLast, isCut ? cutMark : '')
    },
    /** Emits what is held back. */
    end: () => release(true),
  }
}

/** Returns how many characters at the end of a text may begin a secret. */
type PrefixFinder = (text: string) => number

function createPrefixFinder(spellings: readonly string[]): PrefixFinder {
  const byStart = Map.groupBy(spellings, (secret) => secret.slice(0, minPrefix))
  const starts = new Set(spellings.flatMap((secret) => [1, 2, 3].map((length) => secret.slice(0, length))))
  const longest = spellings[0]?.length ?? 0
  const isPrefix = (end: string) =>
    end.length < minPrefix
      ? starts.has(end)
      : byStart.get(end.slice(0, minPrefix))?.some((secret) => secret !== end && secret.startsWith(end))
  return (text) => {
    for (let length = Math.min(longest - 1, text.length); length > 0; length--)
      if (isPrefix(text.slice(-length))) return length
    return 0
  }
}
