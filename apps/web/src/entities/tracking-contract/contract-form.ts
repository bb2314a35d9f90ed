import type { TrackingTopic } from '@kustos/contract/tracking'
import type { ContractDraft, CustomerContract, WebContract } from '@kustos/contract/tracking-contracts'
import {
  addedFields,
  type ContractField,
  type ContractSettings,
  consentToolFields,
  contractFields,
  tagTopics,
} from '@kustos/contract/tracking-contracts/states'

/** Null where nothing was agreed on, or where it is inherited. */
export type ContractForm = { -readonly [Field in ContractField]: ContractSettings[Field] }

export const fieldGroups = {
  tool: consentToolFields,
  tags: tagTopics,
  early: ['before_consent'],
  hosts: ['hosts'],
} as const satisfies Readonly<Record<string, readonly ContractField[]>>
export type FieldGroup = keyof typeof fieldGroups

export const isTextField = (field: ContractField): field is (typeof consentToolFields)[number] =>
  consentToolFields.some((each) => each === field)

/** What is requested and named by a topic of audits instead of its host. */
export const earlyTopics = [
  ...tagTopics,
  'usercentrics',
  'referrerjs',
  'polyfillio',
  'digiaccess',
] as const satisfies readonly TrackingTopic[]

interface NamedSubject {
  readonly subject: string
  readonly text: string
}

/** The topics and hosts that texts stand for. @param known topics and hosts with the texts by which they are shown */
export function toSubjects(texts: readonly string[], known: readonly NamedSubject[]): string[] {
  const subjects = texts.flatMap((text) => {
    const typed = text.trim().toLowerCase()
    const named = known.find((one) => typed === one.text.toLowerCase() || typed === one.subject)
    if (named !== undefined) return [named.subject]
    const parts = text.trim().split(/\s+/)
    // Several hosts, rather than a name that nobody knows.
    return parts.every((part) => part.includes('.')) ? parts : [text]
  })
  return [...new Set(subjects)]
}

/** Whether what a web has for itself is added to its customer's. */
export const isAdded = (field: ContractField): boolean => addedFields.some((each) => each === field)

/** What a field begins with when it is agreed on: what applies so far, unless a web only adds to that. */
export const initialValue = (
  field: ContractField,
  applying: ContractSettings,
  isOfWeb: boolean,
): string | readonly string[] =>
  (isOfWeb && isAdded(field) ? null : applying[field]) ?? (isTextField(field) ? '' : [])

/** What a form of a contract is opened with: the contract as it is, or a draft of one that is to take its place. */
export interface ContractSource {
  readonly own: CustomerContract['own']
  /** With what is inherited; null for a customer. */
  readonly effective: WebContract['effective'] | null
  readonly updated_at: string | null
  readonly draft: ContractDraft | null
}

export const toForm = ({ own, draft }: ContractSource): ContractForm => ({ ...(draft?.settings ?? own) })

const mutable = (form: Partial<ContractSettings>) =>
  Object.fromEntries(
    contractFields.map((field) => {
      const value = form[field] ?? null
      return [field, typeof value === 'string' || value === null ? value : [...value]]
    }),
  ) as WebContract['own']

export const toBody = (form: ContractForm, { updated_at, draft }: ContractSource) => ({
  ...mutable(form),
  updated_at,
  ...(draft && {
    overrides_updated_at: draft.overrides_updated_at,
    overrides: draft.overrides.map(({ web_id, settings }) => ({ web_id, ...mutable(settings) })),
  }),
})
