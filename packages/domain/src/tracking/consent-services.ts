import type { Visit } from '@kustos/clients/page'
import { z } from 'zod'
import type { ConsentManager } from './detectors/usercentrics.ts'

/** Usercentrics' public endpoints, as its own scripts call them; nothing of them is documented. */
const settingsApi = 'https://api.usercentrics.eu'
const aggregator = 'https://aggregator.service.usercentrics.eu'
const thirdApi = 'https://v1.api.service.cmp.usercentrics.eu/latest'

/** Which rules hold depends on where the visitor is. */
const visitor = { 'x-client-geo-location': 'DE,DEBY' }
const languages = ['de', 'en', 'it']
/** Services of one manager, and characters of a name. */
const most = 300
const longest = 200

export type ConsentServices =
  | { readonly outcome: 'seen'; readonly names: readonly string[] }
  | { readonly outcome: 'unseen'; readonly reason: string }

class Unseen extends Error {}

type Read = <T>(url: string, schema: z.ZodType<T>) => Promise<T>

/**
 * The names of the services that a page's Usercentrics asks consent for. It never rejects.
 * @param budget milliseconds that are left
 */
export async function consentServicesOf(
  visit: Visit,
  manager: Pick<ConsentManager, 'id' | 'isRuleset' | 'version'>,
  budget: () => number,
  signal?: AbortSignal,
): Promise<ConsentServices> {
  const read: Read = async (url, schema) => {
    const deadline = Math.min(4_000, budget())
    if (deadline <= 0) throw new Unseen('there was no time left')
    const seen = await visit.get(url, { deadline, headers: visitor, ...(signal && { signal }) })
    const host = new URL(url).hostname
    if (seen.outcome === 'unseen') throw new Unseen(`${host}: ${seen.reason}`)
    if (seen.status !== 200) throw new Unseen(`${host} answered ${seen.status}`)
    const parsed = schema.safeParse(jsonOf(seen.text))
    if (!parsed.success) throw new Unseen(`${host} answered in a form that Kustos does not know`)
    return parsed.data
  }
  try {
    const names = manager.version === 3 ? await thirdNames(read, manager) : await firstNames(read, manager)
    const clean = names.map((name) => name.trim().slice(0, longest)).filter((name) => name !== '')
    return { outcome: 'seen', names: [...new Set(clean)].slice(0, most) }
  } catch (error) {
    if (error instanceof Unseen) return { outcome: 'unseen', reason: error.message }
    throw error
  }
}

const ruleset = z.object({
  settingsId: z.string().optional(),
  defaultRule: z.object({ settingsId: z.string() }).optional(),
})
const available = z.object({ languagesAvailable: z.array(z.string()) })
const settings = z.object({
  consentTemplates: z.array(z.object({ templateId: z.string(), version: z.string() })).max(1_000),
})
const templates = z.object({ templates: z.array(z.object({ dataProcessor: z.string() })) })

async function firstNames(read: Read, { id, isRuleset }: Pick<ConsentManager, 'id' | 'isRuleset'>) {
  const chosen = isRuleset ? await ruled(read, `${settingsApi}/ruleSet/${part(id)}.json`, id) : id
  const folder = `${settingsApi}/settings/${part(chosen)}/latest`
  const { languagesAvailable } = await read(`${folder}/languages.json`, available)
  const language = preferred(languagesAvailable)
  const { consentTemplates } = await read(`${folder}/${part(language)}.json`, settings)
  if (consentTemplates.length === 0) return []
  const asked = consentTemplates.slice(0, most).map(({ templateId, version }) => `${templateId}@${version}`)
  const url = `${aggregator}/aggregate/${part(language)}?templates=${asked.map(part).join(',')}`
  const { templates: found } = await read(url, templates)
  return found.map(({ dataProcessor }) => dataProcessor)
}

const core = z.object({
  version: z.union([z.string(), z.number()]),
  languages: z.array(z.string()),
  cmp: z.object({ type: z.string() }),
})
const translated = z.object({ services: z.record(z.string(), z.object({ name: z.string() })) })
const europe = new Set(['gdpr', 'uk_gdpr', 'pipeda', 'cipa'])

async function thirdNames(read: Read, { id, isRuleset }: Pick<ConsentManager, 'id' | 'isRuleset'>) {
  const chosen = isRuleset ? await ruled(read, `${thirdApi}/ruleSetData?id=${part(id)}`, id) : id
  const { version, languages: known, cmp } = await read(`${thirdApi}/core/${part(chosen)}`, core)
  const kind = cmp.type.toLowerCase()
  const rules = europe.has(kind) ? 'GDPR' : kind.startsWith('tcf') ? 'TCF' : 'US'
  const url = `${thirdApi}/i18n/${part(preferred(known).toLowerCase())}/${rules}/${part(chosen)}/${part(String(version))}`
  const { services } = await read(url, translated)
  return Object.values(services).map(({ name }) => name)
}

/** Of several settings those that hold where no rule says otherwise. */
async function ruled(read: Read, url: string, id: string): Promise<string> {
  const { settingsId, defaultRule } = await read(url, ruleset)
  return defaultRule?.settingsId ?? settingsId ?? id
}

const preferred = (known: readonly string[]) =>
  languages.find((language) => known.includes(language)) ?? known[0] ?? 'de'

const part = encodeURIComponent

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Its schema refuses it.
    return undefined
  }
}
