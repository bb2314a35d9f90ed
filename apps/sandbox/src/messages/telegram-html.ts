import { HttpError } from '../http-service.ts'

/** https://core.telegram.org/bots/api#html-style */
const tags = new Set(
  'b strong i em u ins s strike del span tg-spoiler a tg-emoji code pre blockquote'.split(' '),
)
const namedEntities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' }
const entity = /&(#x[\da-f]+|#\d+|\w+);/gi

/**
 * The text of a message in Telegram's HTML, with the addresses of links in parentheses.
 * @throws HttpError where Telegram would reject it
 */
export function renderTelegramHtml(html: string): string {
  const open: { readonly name: string; readonly href: string | null }[] = []
  let text = ''
  for (const { 0: part, 1: slash, 2: name = '', 3: attributes = '', index } of html.matchAll(
    /<(\/?)([a-z\d-]*)([^>]*)>?|[^<]+/gi,
  )) {
    const offset = `at byte offset ${Buffer.byteLength(html.slice(0, index))}`
    const tag = name.toLowerCase()
    if (slash === undefined) text += decodeEntities(part)
    else if (slash === '/') {
      const last = open.pop()
      if (last === undefined) throw parseError(`Unexpected end tag ${offset}`)
      if (last.name !== tag)
        throw parseError(`Unmatched end tag ${offset}, expected "</${last.name}>", found "</${name}>"`)
      if (last.href !== null) text += ` (${last.href})`
    } else if (part.endsWith('>') && tags.has(tag)) {
      const [, double, single] = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(attributes) ?? []
      const href = double ?? single
      open.push({ name: tag, href: href === undefined ? null : decodeEntities(href) })
    } else throw parseError(`Unsupported start tag "${name}" ${offset}`)
  }
  const last = open.at(-1)
  if (last !== undefined) throw parseError(`Can't find end tag corresponding to start tag "${last.name}"`)
  return text
}

const parseError = (reason: string) => new HttpError(400, `Bad Request: can't parse entities: ${reason}`)

/** Telegram leaves unknown names as they are. */
const decodeEntities = (text: string): string =>
  text.replace(entity, (whole, name: string) => {
    if (!name.startsWith('#')) return namedEntities[name] ?? whole
    const code = Number(name.replace(/^#x/i, '0x').replace('#', ''))
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
