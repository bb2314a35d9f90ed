import { partsOf } from './page-parts.ts'
import { type Load, type SeenCode, sightOf, type Tag } from './sight.ts'

/** What is in a container of Google Tag Manager: its own tags, and the HTML that it puts into pages. */
export interface ContainerContent {
  readonly tags: readonly Tag[]
  readonly loads: readonly Load[]
  readonly codes: readonly SeenCode[]
}

/** Levels of nesting of a value, and characters of a tag's JSON that are looked through. */
const deepest = 12
const longestTag = 20_000

type Json = Readonly<Record<string, unknown>>

/**
 * Reads a container's script (gtm.js), which holds its tags as JSON: `"resource": {"macros": […], "tags": […]}`. Values
 * that are constants are filled in; what is known in a browser alone stays empty. Tags that are paused are not in it.
 * @param url of the script
 * @returns null where it is no container
 */
export function readContainer(script: string, url: string, page: string): ContainerContent | null {
  const resource = resourceIn(script)
  if (resource === null) return null
  const macros = listOf(resource.macros)
  const tags = listOf(resource.tags).map((tag) => tagOf(tag, macros, url))
  const html = tags
    .filter(({ kind }) => kind === '__html')
    .map(({ values }) => sightOf(partsOf(values.html ?? '', page), { url, page, container: true }))
  return {
    tags,
    loads: [
      ...html.flatMap(({ loads }) => loads),
      ...tags.filter(({ kind }) => kind === '__img').flatMap((tag) => pictureOf(tag, page)),
    ],
    codes: html.flatMap(({ codes }) => codes),
  }
}

function resourceIn(script: string): Json | null {
  const start = /"resource"\s*:\s*(?=\{)/.exec(script)
  if (start === null) return null
  const from = start.index + start[0].length
  const end = objectEnd(script, from)
  if (end === null) return null
  try {
    return asObject(JSON.parse(script.slice(from, end)))
  } catch {
    // Whatever it is, it is not what Google makes.
    return null
  }
}

/** Behind the brace that closes the one at `from`. */
function objectEnd(text: string, from: number): number | null {
  const sign = /["{}]/g
  let depth = 0
  sign.lastIndex = from
  for (let match = sign.exec(text); match !== null; match = sign.exec(text)) {
    if (match[0] === '"') {
      let at = match.index + 1
      while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
      sign.lastIndex = at + 1
    } else {
      depth += match[0] === '{' ? 1 : -1
      if (depth === 0) return match.index + 1
    }
  }
  return null
}

function tagOf(tag: Json, macros: readonly Json[], container: string): Tag {
  const values: Record<string, string> = {}
  const settings = settingsOf(tag, macros)
  for (const [name, value] of [...Object.entries(settings), ...Object.entries(tag)]) {
    if (!name.startsWith('vtp_')) continue
    const text = textOf(value, macros, 0)
    if (text !== null) values[name.slice('vtp_'.length)] = text
  }
  return {
    kind: String(tag.function),
    values,
    json: JSON.stringify(tag).slice(0, longestTag),
    container,
  }
}

/** Tags of Universal Analytics may keep their id in a variable of settings. */
function settingsOf(tag: Json, macros: readonly Json[]): Json {
  const [kind, index] = Array.isArray(tag.vtp_gaSettings) ? tag.vtp_gaSettings : []
  return (kind === 'macro' ? macros[Number(index)] : undefined) ?? {}
}

/** @returns null for what is no text even with its constants filled in */
function textOf(value: unknown, macros: readonly Json[], depth: number): string | null {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (!Array.isArray(value) || depth > deepest) return null
  const [kind, ...rest] = value
  if (kind === 'macro') {
    const macro = macros[Number(rest[0])]
    // A constant, or a table with what holds for all that it does not name; the others are known in a browser alone.
    if (macro?.function === '__c') return textOf(macro.vtp_value, macros, depth + 1)
    const isTable = macro?.function === '__smm' || macro?.function === '__remm'
    return isTable && macro.vtp_setDefaultValue !== false
      ? (textOf(macro.vtp_defaultValue ?? '', macros, depth + 1) ?? '')
      : ''
  }
  if (kind === 'escape') return textOf(rest[0], macros, depth + 1)
  if (kind === 'template') return rest.map((part) => textOf(part, macros, depth + 1) ?? '').join('')
  return null
}

function pictureOf({ values, json, container }: Tag, page: string): Load[] {
  const url = URL.parse(values.url ?? '', page)
  return url === null
    ? []
    : [{ source: 'container', url, attributes: {}, gated: false, excerpt: `${container} ${json}` }]
}

const listOf = (value: unknown): readonly Json[] =>
  Array.isArray(value) ? value.map((entry) => asObject(entry) ?? {}) : []

const asObject = (value: unknown): Json | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null
