import { readCode } from './code.ts'
import { type CooperativeTask, pause } from './cooperative.ts'
import { objectEnd } from './json-object.ts'
import type { PageParts, Part } from './page-parts.ts'
import { has, scan } from './scan.ts'

/** Something that the settings of a plugin say. */
export interface Setting {
  /** Names that it stands under, from the outermost on, in lower case and without signs: `pysoptions`, `facebook`, `pixelids`. */
  readonly path: readonly string[]
  readonly value: string
}

/** Characters of settings, values of them, and levels of nesting that are looked through. */
const longest = 512 * 1024
const most = 20_000
const deepest = 12

/** Settings of plugins that stand in a page as JSON: their own scripts read the ids from there. */
export interface FoundSettings extends Pick<Part, 'gated'> {
  readonly json: string
  readonly settings: readonly Setting[]
}

/** Under what names known plugins keep theirs: PixelYourSite, Pixel Manager, MonsterInsights, ExactMetrics, Drupal, TYPO3. */
const named =
  /(?<![\w$.])(?:window\.)?(pysOptions|wpmDataLayer|monsterinsights_frontend|exactmetrics_frontend|drupalSettings|TYPO3\.settings)\s{0,5}=\s{0,5}(?=\{)/g
/** Any name, where WordPress itself writes what a plugin hands to its script (`wp_localize_script`). */
const any = /(?<![\w$.])([A-Za-z_$][\w$]{0,60})\s{0,5}=\s{0,5}(?=\{)/g
const handedOver = /-js-extra$/
/** Of one script. */
const mostObjects = 20

/** The settings in a page's data blocks and inline scripts. */
export function* settingsOf({ blocks, scripts }: PageParts): CooperativeTask<FoundSettings[]> {
  const seen: FoundSettings[] = []
  for (const { text, gated } of blocks) seen.push({ json: text, gated, settings: yield* settingsIn(text) })
  for (const { text, gated, attributes } of scripts) {
    yield pause
    const pattern = handedOver.test(attributes.id ?? '') ? any : named
    if (text === '' || !(yield* has(text, pattern))) continue
    const code = yield* readCode(text)
    const starts: { readonly name: string; readonly from: number }[] = []
    yield* scan(code.text, pattern, ({ index, 0: all, 1: name = '' }) => {
      if (code.isCode(index)) starts.push({ name, from: index + all.length })
      return starts.length < mostObjects ? index + all.length : null
    })
    for (const { name, from } of starts) {
      const end = yield* objectEnd(text, from)
      if (end === null) continue
      const json = text.slice(from, end)
      seen.push({ json, gated, settings: yield* settingsIn(json, [bare(name)]) })
    }
  }
  return seen
}

/** All texts and numbers of a plugin's settings with their names, but those of what is switched off. */
function* settingsIn(json: string, root: readonly string[] = []): CooperativeTask<Setting[]> {
  if (json.length > longest) return []
  const settings: Setting[] = []
  const open: { readonly path: readonly string[]; readonly value: unknown }[] = [
    { path: root, value: parsed(json) },
  ]
  for (let count = 1, last = open.pop(); last !== undefined && count < most; count++, last = open.pop()) {
    const { path, value } = last
    if (typeof value === 'string' || typeof value === 'number') settings.push({ path, value: String(value) })
    else if (Array.isArray(value)) for (const entry of value.slice(0, most)) open.push({ path, value: entry })
    else if (isObject(value) && isOn(value) && path.length < deepest)
      for (const [name, entry] of Object.entries(value)) {
        open.push({ path: [...path, bare(name)], value: entry })
        // Some keep an id as the name of what belongs to it.
        if (/^AW-\d/.test(name)) settings.push({ path, value: name })
      }
    if (count % 1_000 === 0) yield pause
  }
  return settings
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

const isOn = ({ enabled, active }: Readonly<Record<string, unknown>>) => enabled !== false && active !== false

const bare = (name: string) =>
  name
    .slice(0, 60)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    // Settings are written by machines; what is no JSON is something else.
    return null
  }
}
