import { Refused } from './refused.ts'

/** https://core.telegram.org/bots/api#html-style */
const tags = new Set(
  'b strong i em u ins s strike del span tg-spoiler a tg-emoji code pre blockquote'.split(' '),
)

const entities = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
])

const fail = (what: string): never => {
  throw new Refused(400, `Bad Request: can't parse entities: ${what}`)
}

/**
 * The text of a message in Telegram's HTML; the address of a link stands behind it.
 * @throws Refused where Telegram would not take it
 */
export function textOfHtml(html: string): string {
  const open: { readonly name: string; readonly link: string | null }[] = []
  let text = ''
  let at = 0
  const offset = () => Buffer.byteLength(html.slice(0, at))
  for (const [whole, tag, entity] of html.matchAll(/(<[^>]*>?)|&(#x[\da-f]+|#\d+|\w+);|[^<&]+|&/gi)) {
    if (tag !== undefined) {
      const [, slash = '', name = '', attributes = ''] = /^<(\/?)([a-z\d-]*)([^>]*)>$/i.exec(tag) ?? []
      if (slash === '/') {
        const last = open.pop()
        if (last === undefined) fail(`Unexpected end tag at byte offset ${offset()}`)
        else if (last.name !== name.toLowerCase())
          fail(`Unmatched end tag at byte offset ${offset()}, expected "</${last.name}>", found "</${name}>"`)
        else if (last.link !== null) text += ` (${last.link})`
      } else if (tags.has(name.toLowerCase())) {
        const link = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(attributes)
        open.push({ name: name.toLowerCase(), link: link && decoded(link[1] ?? link[2] ?? '') })
      } else fail(`Unsupported start tag "${name}" at byte offset ${offset()}`)
    } else text += entity === undefined ? whole : (character(entity) ?? whole)
    at += whole.length
  }
  const last = open.at(-1)
  if (last !== undefined) fail(`Can't find end tag corresponding to start tag "${last.name}"`)
  return text
}

const decoded = (text: string) =>
  text.replace(/&(#x[\da-f]+|#\d+|\w+);/gi, (whole, entity: string) => character(entity) ?? whole)

/** Null for names that Telegram leaves as they stand. */
function character(entity: string): string | null {
  if (!entity.startsWith('#')) return entities.get(entity) ?? null
  const code = /^#x/i.test(entity) ? Number.parseInt(entity.slice(2), 16) : Number(entity.slice(1))
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : null
}
