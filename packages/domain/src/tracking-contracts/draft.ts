import {
  addedFields,
  anyTagId,
  type ContractField,
  type ContractSettings,
  contractFields,
  isTagTopic,
  maxContractHosts,
  noContractSettings,
  tagTopics,
} from '@kustos/contract/tracking-contracts/states'
import type { Observation, ObservedRequest } from './observe.ts'

export interface ObservedWeb {
  readonly web_id: number
  readonly fqdn: string
  readonly observation: Observation
}

interface Draft {
  readonly settings: ContractSettings
  readonly overrides: readonly { web_id: number; fqdn: string; settings: ContractSettings }[]
  /** Topics, other services or hosts that were requested without consent, with the number of webs. */
  readonly left_out: readonly { topic: string; webs: number }[]
  /** Those that the draft allows, of which it is to be reviewed whether they need consent. */
  readonly to_review: readonly { topic: string; webs: number }[]
}

/** What one web may load, all of its customer may: the union is agreed on, as far as a contract can hold it. */
const ownFields = contractFields.filter((field) => !addedFields.some((added) => added === field))

/**
 * A contract that these webs keep, except for what is requested without consent: that is left out. What most webs have is the
 * customer's, and what others have is theirs.
 */
export function draftContract(webs: readonly ObservedWeb[]): Draft {
  if (webs.length === 0) return { settings: noContractSettings, overrides: [], left_out: [], to_review: [] }
  const drafts = webs.map((web) => ({ ...web, settings: draftOf(web.observation) }))
  const common = Object.fromEntries(
    ownFields.map((field) => [field, mostCommon(drafts.map(({ settings }) => settings[field]))]),
  )
  const shared = Object.fromEntries(
    addedFields.map((field) => [field, mostFrequent(drafts.map(({ settings }) => settings[field]))]),
  )
  const settings = { ...noContractSettings, ...common, ...shared } as ContractSettings
  const inCommon = new Map(addedFields.map((field) => [field, new Set(settings[field])]))
  const overrides = drafts.flatMap(({ web_id, fqdn, settings: own }) => {
    // What is unknown about a web stays as agreed with its customer.
    const differing = ownFields.filter(
      (field) => own[field] !== null && !isEqual(own[field], settings[field]),
    )
    const rest = addedFields.flatMap((field) => {
      const others = own[field]?.filter((value) => !inCommon.get(field)?.has(value)) ?? []
      return others.length === 0 ? [] : [[field, others] as const]
    })
    const differences = { ...pick(own, differing), ...Object.fromEntries(rest) }
    return Object.keys(differences).length === 0
      ? []
      : [{ web_id, fqdn, settings: { ...noContractSettings, ...differences } }]
  })
  return {
    settings,
    overrides,
    left_out: countServices(webs, ({ isViolation }) => isViolation),
    to_review: countServices(webs, ({ isToReview, isWithoutConsent }) => isToReview && isWithoutConsent),
  }
}

function draftOf({ tool, hasUnknownTool, tags, requests, hasVisit }: Observation): ContractSettings {
  const idsOf = (topic: (typeof tagTopics)[number]) => {
    const ids = [...(tags.get(topic)?.keys() ?? [])]
    const known = ids.filter((id) => id !== '').sort()
    return ids.length > 0 && known.length === 0 ? [anyTagId] : known
  }
  const early = requests.filter(({ isWithoutConsent, isViolation }) => isWithoutConsent && !isViolation)
  // An empty field would say that there is no tool.
  const ofTool = (value: string | null | undefined) => (hasUnknownTool ? null : (value ?? ''))
  const sorted = (list: readonly string[]) => [...new Set(list)].sort()
  return {
    ...noContractSettings,
    consent_tool: ofTool(tool?.name),
    consent_tool_id: ofTool(tool?.id),
    consent_tool_version: ofTool(tool?.version),
    ...Object.fromEntries(tagTopics.map((topic) => [topic, idsOf(topic)])),
    // Only a browser shows what is requested.
    before_consent: hasVisit ? sorted(early.map(({ topic, host }) => topic ?? host)) : null,
    hosts: hasVisit ? sorted(requests.flatMap(({ topic, host }) => (isTagTopic(topic) ? [] : host))) : null,
  }
}

type Value = ContractSettings[ContractField] | undefined

export const isEqual = (one: Value, other: Value) => JSON.stringify(one) === JSON.stringify(other)

const pick = (settings: ContractSettings, fields: readonly ContractField[]) =>
  Object.fromEntries(fields.map((field) => [field, settings[field]]))

/** The first of the most frequent values. */
function mostCommon(values: readonly Value[]): Value {
  const groups = [...Map.groupBy(values, (value) => JSON.stringify(value)).values()]
  const largest = groups.toSorted((a, b) => b.length - a.length)[0]
  return largest?.[0] ?? null
}

/** The values of all lists, those of most of them if there are more than a contract may have. */
function mostFrequent(lists: readonly (readonly string[] | null)[]): readonly string[] | null {
  const known = lists.filter((list) => list !== null)
  if (known.length === 0) return null
  const counted = Map.groupBy(known.flat(), (value) => value)
  const ranked = [...counted].toSorted(([, a], [, b]) => b.length - a.length).map(([value]) => value)
  return ranked.slice(0, maxContractHosts).sort()
}

function countServices(
  webs: readonly ObservedWeb[],
  isCounted: (request: ObservedRequest) => boolean,
): Draft['left_out'] {
  const topics = webs.flatMap(({ observation }) => [
    ...new Set(
      observation.requests.filter(isCounted).map(({ topic, entity, host }) => topic ?? entity ?? host),
    ),
  ])
  const counted = Map.groupBy(topics, (topic) => topic)
  return [...counted]
    .map(([topic, all]) => ({ topic, webs: all.length }))
    .toSorted((a, b) => b.webs - a.webs || (a.topic < b.topic ? -1 : 1))
}
