import { StringDecoder } from 'node:string_decoder'
import { stripVTControlCharacters } from 'node:util'

/** In UTF-16 code units; the rest of a longer line is left out. */
export const longestLine = 16 * 1024
const cutMark = ' … (cut)'

export interface LineSplitter {
  write(chunk: Buffer): void
  /** Tells a last line that has no line end. */
  end(): void
}

/**
 * Splits what a program writes into lines, as a terminal would show them in the end: of a progress that was drawn over
 * itself with carriage returns the last state counts, and colours are left out. Holds no more than one line.
 */
export function splitLines(onLine: (text: string) => void): LineSplitter {
  const decoder = new StringDecoder('utf8')
  let line = ''
  let cut = false
  // Whether a carriage return came last: what follows it replaces the line, unless the line ends there.
  let returned = false

  const add = (text: string) => {
    if (text === '') return
    if (returned) {
      line = ''
      cut = false
      returned = false
    }
    const room = longestLine - line.length
    if (text.length > room) cut = true
    line += room > 0 ? text.slice(0, room) : ''
  }
  const tell = () => {
    const shown = stripVTControlCharacters(line).replaceAll('\u0000', '\ufffd').toWellFormed()
    const marked = cut ? shown + cutMark : shown
    line = ''
    cut = false
    returned = false
    onLine(marked)
  }
  const read = (text: string) => {
    let from = 0
    for (const { index, 0: end } of text.matchAll(/[\r\n]/g)) {
      add(text.slice(from, index))
      from = index + 1
      if (end === '\n') tell()
      else returned = true
    }
    add(text.slice(from))
  }

  return {
    write: (chunk) => read(decoder.write(chunk)),
    end() {
      read(decoder.end())
      if (line !== '' || cut) tell()
    },
  }
}
