import { StringDecoder } from 'node:string_decoder'
import { stripVTControlCharacters } from 'node:util'

/** In UTF-16 code units; longer lines are truncated. */
export const maxLineLength = 16 * 1024
/** At the end of a truncated line. */
export const cutMark = ' … (cut)'

/**
 * Splits a program's output into lines as a terminal shows them in the end: without colours, and with the last state of a
 * progress line that is overwritten by carriage returns.
 */
export function splitLines(onLine: (text: string) => void) {
  const decoder = new StringDecoder('utf8')
  let line = ''
  let cut = false
  // After a carriage return further text replaces the line.
  let isReturned = false

  const clear = () => {
    line = ''
    cut = false
    isReturned = false
  }
  const add = (text: string) => {
    if (text === '') return
    if (isReturned) clear()
    const room = maxLineLength - line.length
    if (text.length > room) cut = true
    line += room > 0 ? text.slice(0, room) : ''
  }
  const emit = () => {
    const shown = stripVTControlCharacters(line).replaceAll('\u0000', '\ufffd').toWellFormed()
    const marked = cut ? shown + cutMark : shown
    clear()
    onLine(marked)
  }
  const read = (text: string) => {
    let from = 0
    for (const { index, 0: end } of text.matchAll(/[\r\n]/g)) {
      add(text.slice(from, index))
      from = index + 1
      if (end === '\n') emit()
      else isReturned = true
    }
    add(text.slice(from))
  }

  return {
    write: (chunk: Buffer): void => read(decoder.write(chunk)),
    /** Emits a last line without a line end. */
    end(): void {
      read(decoder.end())
      if (line !== '' || cut) emit()
    },
  }
}
