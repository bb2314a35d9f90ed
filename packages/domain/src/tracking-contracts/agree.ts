import { anyTagId, type ContractSettings, isTagTopic } from '@kustos/contract/tracking-contracts/states'
import type { Difference } from './judge.ts'

/**
 * The fields of a contract with which a difference is none.
 * @param contract what applies so far
 */
export function agreeTo(
  difference: Omit<Difference, 'evidence'>,
  contract: ContractSettings,
): Partial<ContractSettings> {
  const { kind, subject, value, expected, found } = difference
  const add = (list: readonly string[] | null, ...items: readonly string[]) => [
    ...new Set([...(list ?? []), ...items]),
  ]
  if (kind === 'too_early') return { before_consent: add(contract.before_consent, subject) }
  if (subject === 'consent_tool')
    // The id and the version of one tool are not those of another.
    return { consent_tool: found[0] ?? '', consent_tool_id: '', consent_tool_version: '' }
  if (subject === 'consent_tool_id' || subject === 'consent_tool_version')
    return { [subject]: found[0] ?? '' }
  if (!isTagTopic(subject)) return { hosts: add(contract.hosts, subject) }
  const agreed = contract[subject] ?? []
  if (kind === 'missing') return { [subject]: value === null ? [] : agreed.filter((id) => id !== value) }
  const kept = kind === 'wrong_id' ? agreed.filter((id) => !expected.includes(id)) : agreed
  return { [subject]: add(kept, ...(found.length === 0 ? [anyTagId] : found)) }
}
