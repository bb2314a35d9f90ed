import { parseJson } from '../platform/parse-json.ts'
import { type CooperativeTask, each } from './cooperative.ts'
import { findObjectEnd } from './find-object-end.ts'
import { parsePage } from './page-parts.ts'
import { type CodeSource, type LoadedResource, readSnapshot, type TagManagerTag } from './page-snapshot.ts'
import { searchText } from './search-text.ts'

/** Contents of a Google Tag Manager container: its tags, and the HTML that it adds to pages. */
export interface ContainerContent {
  readonly tags: readonly TagManagerTag[]
  readonly loads: readonly LoadedResource[]
  readonly sources: readonly CodeSource[]
  /** Whether reading stopped at a limit. */
  readonly tooMuch: boolean
}

const maxValueDepth = 12
const maxTagLength = 20_000
/** Google allows 300 KB (https://support.google.com/tagmanager/answer/2772421). */
const maxContainerLength = 1024 * 1024
const maxTags = 2_000
/** Characters of all values after variables were replaced, since each variable may be used many times. */
const maxFilledLength = 2 * maxContainerLength

type Json = Readonly<Record<string, unknown>>

/** The variables, and how many characters may still be filled in. */
interface Filling {
  readonly macros: readonly Json[]
  left: number
}

/**
 * Reads a container's script (gtm.js), which holds its tags as JSON: `"resource": {"macros": […], "tags": […]}`. Constant
 * variables are replaced; those that only a browser knows stay empty. Paused tags are not part of the script.
 * @param url of the script
 * @returns null if the script is not a container
 */
export function* readContainer(
  script: string,
  url: string,
  page: string,
): CooperativeTask<ContainerContent | null> {
  const resource = yield* resourceIn(script)
  if (resource === null) return null
  const filling: Filling = { macros: listOf(resource.macros), left: maxFilledLength }
  const all = listOf(resource.tags)
  const tags: TagManagerTag[] = []
  const loads: LoadedResource[] = []
  const sources: CodeSource[] = []
  yield* each(all.slice(0, maxTags), function* (one) {
    const tag = readTag(one, filling, url)
    tags.push(tag)
    if (tag.kind === '__img') loads.push(...readImageTag(tag, page))
    if (tag.kind !== '__html') return
    const parts = yield* parsePage(tag.values.html ?? '', page)
    const html = yield* readSnapshot(parts, { url, page, container: true })
    loads.push(...html.loads)
    sources.push(...html.sources)
  })
  return { tags, loads, sources, tooMuch: all.length > maxTags || filling.left <= 0 }
}

function* resourceIn(script: string): CooperativeTask<Json | null> {
  let from = -1
  yield* searchText(script, /"resource"\s{0,20}:\s{0,20}(?=\{)/g, ({ index, 0: all }) => {
    from = index + all.length
    return null
  })
  const end = from === -1 ? null : yield* findObjectEnd(script, from)
  if (end === null || end - from > maxContainerLength) return null
  return asObject(parseJson(script.slice(from, end)))
}

function readTag(tag: Json, filling: Filling, container: string): TagManagerTag {
  const values: Record<string, string> = {}
  const settings = variableSettings(tag, filling.macros)
  for (const [name, value] of [...Object.entries(settings), ...Object.entries(tag)]) {
    filling.left -= 1
    if (filling.left <= 0) break
    if (!name.startsWith('vtp_')) continue
    const text = readText(value, filling, 0)
    if (text !== null) values[name.slice('vtp_'.length)] = text
  }
  return {
    kind: String(tag.function),
    values,
    json: JSON.stringify(tag).slice(0, maxTagLength),
    container,
  }
}

/** Tags of Universal Analytics may read their id from a settings variable. */
function variableSettings(tag: Json, macros: readonly Json[]): Json {
  const [kind, index] = Array.isArray(tag.vtp_gaSettings) ? tag.vtp_gaSettings : []
  return (kind === 'macro' ? macros[Number(index)] : undefined) ?? {}
}

/** @returns null if the value is not text after its constants were replaced, or if the limit is exceeded */
function readText(value: unknown, filling: Filling, depth: number): string | null {
  filling.left -= typeof value === 'string' ? value.length + 1 : 1
  if (filling.left <= 0) return null
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (!Array.isArray(value) || depth > maxValueDepth) return null
  const [kind, ...rest] = value
  if (kind === 'macro') {
    const macro = filling.macros[Number(rest[0])]
    // A constant, or a lookup table with a default. Only browsers know the others.
    if (macro?.function === '__c') return readText(macro.vtp_value, filling, depth + 1)
    const isTable = macro?.function === '__smm' || macro?.function === '__remm'
    if (!isTable || macro.vtp_setDefaultValue === false) return ''
    return readText(macro.vtp_defaultValue ?? '', filling, depth + 1) ?? ''
  }
  if (kind === 'escape') {
    const text = readText(rest[0], filling, depth + 1)
    return rest.slice(1).includes(escapedValue) ? toScriptValue(text) : text
  }
  if (kind === 'template') return rest.map((part) => readText(part, filling, depth + 1) ?? '').join('')
  return null
}

/** How containers mark a variable that stands in a script as a value, rather than within a text. */
const escapedValue = 8

/** What only a browser knows must not make the script around it invalid. */
const toScriptValue = (text: string | null): string =>
  text === null || text === '' ? 'undefined' : /^\d{1,20}$/.test(text) ? text : JSON.stringify(text)

function readImageTag({ values, json, container }: TagManagerTag, page: string): LoadedResource[] {
  const url = URL.parse(values.url ?? '', page)
  return url === null
    ? []
    : [
        {
          source: 'container',
          url,
          attributes: {},
          consentBlocked: false,
          excerpt: `${container} ${json}`,
          container,
        },
      ]
}

const listOf = (value: unknown): readonly Json[] =>
  Array.isArray(value) ? value.map((entry) => asObject(entry) ?? {}) : []

const asObject = (value: unknown): Json | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null
