import type { Visit } from '@kustos/clients/page'
import { type Message, message } from '@kustos/contract/messages'
import { z } from 'zod'
import { parseJson } from '../platform/parse-json.ts'
import type { ConsentManager } from './detectors/usercentrics.ts'

/** Usercentrics' public endpoints, as its own scripts call them; they are undocumented. */
const settingsApi = 'https://api.usercentrics.eu'
const aggregator = 'https://aggregator.service.usercentrics.eu'
const v3Api = 'https://v1.api.service.cmp.usercentrics.eu/latest'

/** The rules depend on the visitor's location. */
const visitorHeaders = { 'x-client-geo-location': 'DE,DEBY' }
const languages = ['de', 'en', 'it']
const maxServices = 300
const maxNameLength = 200

export type ConsentServices = { readonly names: readonly string[] } | { readonly reason: Message }

class ReadError extends Error {
  readonly reason: Message

  constructor(reason: Message) {
    super(reason.code)
    this.reason = reason
  }
}

type Read = <T>(url: string, schema: z.ZodType<T>) => Promise<T>

/** Fetches the names of the services that a page's Usercentrics asks consent for; never rejects. */
export async function fetchConsentServices(
  visit: Visit,
  manager: Pick<ConsentManager, 'id' | 'isRuleset' | 'version'>,
  remainingMs: () => number,
  signal?: AbortSignal,
): Promise<ConsentServices> {
  const read: Read = async (url, schema) => {
    const deadlineMs = Math.min(4_000, remainingMs())
    if (deadlineMs <= 0) throw new ReadError(message('no_time_left'))
    const response = await visit.get(url, { deadlineMs, headers: visitorHeaders, ...(signal && { signal }) })
    const host = new URL(url).hostname
    if (response.outcome === 'failed')
      throw new ReadError(message('host_failed', { host, reason: response.reason }))
    const { status, text } = response
    if (status !== 200) throw new ReadError(message('host_answered', { host, status }))
    const parsed = schema.safeParse(parseJson(text))
    if (!parsed.success) throw new ReadError(message('host_answer_unknown', { host }))
    return parsed.data
  }
  try {
    const names =
      manager.version === 3 ? await fetchV3Names(read, manager) : await fetchV2Names(read, manager)
    const clean = names.map((name) => name.trim().slice(0, maxNameLength)).filter((name) => name !== '')
    return { names: [...new Set(clean)].slice(0, maxServices) }
  } catch (error) {
    if (error instanceof ReadError) return { reason: error.reason }
    throw error
  }
}

const rulesetSchema = z.object({
  settingsId: z.string().optional(),
  defaultRule: z.object({ settingsId: z.string() }).optional(),
})
const languagesSchema = z.object({ languagesAvailable: z.array(z.string()) })
const settingsSchema = z.object({
  consentTemplates: z.array(z.object({ templateId: z.string(), version: z.string() })).max(1_000),
})
const templatesSchema = z.object({ templates: z.array(z.object({ dataProcessor: z.string() })) })

async function fetchV2Names(read: Read, { id, isRuleset }: Pick<ConsentManager, 'id' | 'isRuleset'>) {
  const settingsId = isRuleset
    ? await defaultSettings(read, `${settingsApi}/ruleSet/${encode(id)}.json`, id)
    : id
  const folder = `${settingsApi}/settings/${encode(settingsId)}/latest`
  const { languagesAvailable } = await read(`${folder}/languages.json`, languagesSchema)
  const language = preferredLanguage(languagesAvailable)
  const { consentTemplates } = await read(`${folder}/${encode(language)}.json`, settingsSchema)
  if (consentTemplates.length === 0) return []
  const templateIds = consentTemplates
    .slice(0, maxServices)
    .map(({ templateId, version }) => `${templateId}@${version}`)
  const url = `${aggregator}/aggregate/${encode(language)}?templates=${templateIds.map(encode).join(',')}`
  const { templates: found } = await read(url, templatesSchema)
  return found.map(({ dataProcessor }) => dataProcessor)
}

const coreSchema = z.object({
  version: z.union([z.string(), z.number()]),
  languages: z.array(z.string()),
  cmp: z.object({ type: z.string() }),
})
const servicesSchema = z.object({ services: z.record(z.string(), z.object({ name: z.string() })) })
const gdprStyleTypes = new Set(['gdpr', 'uk_gdpr', 'pipeda', 'cipa'])

async function fetchV3Names(read: Read, { id, isRuleset }: Pick<ConsentManager, 'id' | 'isRuleset'>) {
  const settingsId = isRuleset ? await defaultSettings(read, `${v3Api}/ruleSetData?id=${encode(id)}`, id) : id
  const { version, languages: known, cmp } = await read(`${v3Api}/core/${encode(settingsId)}`, coreSchema)
  const kind = cmp.type.toLowerCase()
  const rules = gdprStyleTypes.has(kind) ? 'GDPR' : kind.startsWith('tcf') ? 'TCF' : 'US'
  const url = `${v3Api}/i18n/${encode(preferredLanguage(known).toLowerCase())}/${rules}/${encode(settingsId)}/${encode(String(version))}`
  const { services } = await read(url, servicesSchema)
  return Object.values(services).map(({ name }) => name)
}

/** The settings for visitors whom no rule matches. */
async function defaultSettings(read: Read, url: string, id: string): Promise<string> {
  const { settingsId, defaultRule } = await read(url, rulesetSchema)
  return defaultRule?.settingsId ?? settingsId ?? id
}

const preferredLanguage = (known: readonly string[]) =>
  languages.find((language) => known.includes(language)) ?? known[0] ?? 'de'

/** Pages and answers may contain half a surrogate pair, which no address can. */
const encode = (text: string): string => encodeURIComponent(text.toWellFormed())
