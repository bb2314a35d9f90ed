import { parseJson } from '../platform/parse-json.ts'
import { type CooperativeTask, pause } from './cooperative.ts'
import type { PageElement, PageParts } from './page-parts.ts'
import type { PageCode } from './page-snapshot.ts'
import type { Attributes } from './script-kinds.ts'
import { containsMatch } from './search-text.ts'

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
const knownVariables = [
  'pysOptions',
  'wpmDataLayer',
  'monsterinsights_frontend',
  'exactmetrics_frontend',
  'drupalSettings',
  'TYPO3.settings',
]
const knownVariable = new RegExp(knownVariables.join('|'), 'g')
/** Per script. */
const maxObjects = 20

/** Whether WordPress passes settings to a plugin's script by this one, in a variable of any name (`wp_localize_script`). */
export const isLocalized = ({ id = '' }: Attributes): boolean => id.endsWith('-js-extra')

/** Whether a script names a variable of a known plugin. */
export const hasSettings = (text: string): CooperativeTask<boolean> => containsMatch(text, knownVariable)

/** The settings in a page's data blocks and inline scripts. */
export function* readPluginSettings(
  { blocks }: PageParts,
  codes: readonly PageCode[],
): CooperativeTask<FoundSettings[]> {
  const seen: FoundSettings[] = []
  for (const { text, consentBlocked } of blocks)
    seen.push({ json: text, consentBlocked, settings: yield* settingsIn(text) })
  for (const { original, consentBlocked, isLocalized, facts } of codes) {
    yield pause
    const objects = facts.settings.filter(({ name }) => isLocalized || knownVariables.includes(name))
    for (const { name, start, end } of objects.slice(0, maxObjects)) {
      const json = original.slice(start, end)
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
