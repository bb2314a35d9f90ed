import { parseJson } from '../platform/parse-json.ts'
import { type CooperativeTask, pause } from './cooperative.ts'
import { findObjectEnd } from './find-object-end.ts'
import type { PageElement, PageParts } from './page-parts.ts'
import { parseCode } from './parse-code.ts'
import { containsMatch, searchText } from './search-text.ts'

/** A value in the settings of a plugin. */
export interface Setting {
  /** Keys from the outermost on, in lower case and alphanumeric: `pysoptions`, `facebook`, `pixelids`. */
  readonly path: readonly string[]
  readonly value: string
}

const maxLength = 512 * 1024
const maxValues = 20_000
const maxDepth = 12

/** JSON settings of plugins, from which their scripts read the ids. */
export interface FoundSettings extends Pick<PageElement, 'consentBlocked'> {
  readonly json: string
  readonly settings: readonly Setting[]
}

/** Variables of known plugins: PixelYourSite, Pixel Manager, MonsterInsights, ExactMetrics, Drupal, TYPO3. */
const knownVariable =
  /(?<![\w$.])(?:window\.)?(pysOptions|wpmDataLayer|monsterinsights_frontend|exactmetrics_frontend|drupalSettings|TYPO3\.settings)\s{0,5}=\s{0,5}(?=\{)/g
/** Any variable in a script that WordPress writes for a plugin (`wp_localize_script`). */
const anyVariable = /(?<![\w$.])([A-Za-z_$][\w$]{0,60})\s{0,5}=\s{0,5}(?=\{)/g
const localizedScriptId = /-js-extra$/
/** Per script. */
const maxObjects = 20

/** The settings in a page's data blocks and inline scripts. */
export function* readPluginSettings({ blocks, scripts }: PageParts): CooperativeTask<FoundSettings[]> {
  const seen: FoundSettings[] = []
  for (const { text, consentBlocked } of blocks)
    seen.push({ json: text, consentBlocked, settings: yield* settingsIn(text) })
  for (const { text, consentBlocked, attributes } of scripts) {
    yield pause
    const pattern = localizedScriptId.test(attributes.id ?? '') ? anyVariable : knownVariable
    if (text === '' || !(yield* containsMatch(text, pattern))) continue
    const code = yield* parseCode(text)
    const starts: { readonly name: string; readonly from: number }[] = []
    yield* searchText(code.text, pattern, ({ index, 0: all, 1: name = '' }) => {
      if (code.isExecutable(index)) starts.push({ name, from: index + all.length })
      return starts.length < maxObjects ? index + all.length : null
    })
    for (const { name, from } of starts) {
      const end = yield* findObjectEnd(text, from)
      if (end === null) continue
      const json = text.slice(from, end)
      seen.push({ json, consentBlocked, settings: yield* settingsIn(json, [normalizeKey(name)]) })
    }
  }
  return seen
}

/** Returns all strings and numbers of a plugin's settings, except disabled parts. */
function* settingsIn(json: string, root: readonly string[] = []): CooperativeTask<Setting[]> {
  if (json.length > maxLength) return []
  const settings: Setting[] = []
  const open: { readonly path: readonly string[]; readonly value: unknown }[] = [
    { path: root, value: parseJson(json) },
  ]
  for (
    let count = 1, last = open.pop();
    last !== undefined && count < maxValues;
    count++, last = open.pop()
  ) {
    const { path, value } = last
    if (typeof value === 'string' || typeof value === 'number') settings.push({ path, value: String(value) })
    else if (Array.isArray(value))
      for (const entry of value.slice(0, maxValues)) open.push({ path, value: entry })
    else if (isObject(value) && isOn(value) && path.length < maxDepth)
      for (const [name, entry] of Object.entries(value)) {
        open.push({ path: [...path, normalizeKey(name)], value: entry })
        // Some plugins use ids as keys.
        if (/^AW-\d/.test(name)) settings.push({ path, value: name })
      }
    if (count % 1_000 === 0) yield pause
  }
  return settings
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

const isOn = ({ enabled, active }: Readonly<Record<string, unknown>>) => enabled !== false && active !== false

const normalizeKey = (name: string) =>
  name
    .slice(0, 60)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
