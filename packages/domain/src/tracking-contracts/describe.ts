import { type Message, type MessageParams, message } from '@kustos/contract/messages'
import { anyTagId, consentToolFields, isTagTopic, tagNames } from '@kustos/contract/tracking-contracts/states'
import type { Difference } from './judge.ts'

const separator = ', '

/** A difference in a sentence. */
export function describeDifference({
  kind,
  subject,
  expected: agreed,
  found: seen,
}: Pick<Difference, 'kind' | 'subject' | 'expected' | 'found'>): Message {
  const isOfTool = consentToolFields.some((field) => field === subject)
  const isHost = !isOfTool && !isTagTopic(subject)
  const what = isOfTool ? message('drift_consent_tool') : isTagTopic(subject) ? tagNames[subject] : subject
  const expected = agreed.every((id) => id === anyTagId) ? message('drift_any_id') : agreed.join(separator)
  const found = seen.join(separator) || '–'
  switch (kind) {
    case 'missing':
      return message('drift_missing', { what, expected })
    case 'unexpected':
      if (subject === 'consent_tool' && agreed.length > 0)
        return message('drift_wrong_tool', { found, expected })
      return isHost
        ? message('drift_unexpected_host', { host: subject })
        : message('drift_unexpected', { what, found })
    case 'wrong_id':
      return message('drift_wrong_id', { what, found, expected })
    case 'wrong_version':
      return message('drift_wrong_version', { what, found, expected })
    case 'too_early':
      return message('drift_too_early', { what })
  }
}

/** The agreed ids that another one was found instead of, of a stored description. */
export const replacedIds = ({
  code,
  params,
}: {
  readonly code: string | null
  readonly params: MessageParams | null
}): readonly string[] =>
  code === 'drift_wrong_id' && typeof params?.expected === 'string' ? params.expected.split(separator) : []
