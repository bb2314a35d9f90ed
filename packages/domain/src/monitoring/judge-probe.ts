import type { Probed } from '@kustos/clients/probe'
import { degradedStatuses, hasStatus } from '@kustos/contract/checks'
import { type Message, message } from '@kustos/contract/messages'
import { isUp } from '@kustos/contract/monitoring'
import type { WebCheck } from '../checks/index.ts'

export interface Judged {
  readonly probed: Probed
  readonly state: 'up' | 'degraded' | 'down'
  /** Why it is not up; null if the status alone says it. */
  readonly reason: Message | null
}

/** What a probe says about a web. @param hadPage whether a page with content was seen at this address before */
export function judgeProbe(check: WebCheck, probed: Probed, hadPage: boolean): Judged {
  const { status } = probed
  if (status === null) return { probed, state: 'down', reason: probed.reason }
  if (probed.problem !== null) return { probed, state: 'down', reason: probed.problem }
  if (!hasStatus(check.expected, status)) {
    return degradedStatuses.includes(status)
      ? { probed, state: 'degraded', reason: statusReasons[status] ?? null }
      : { probed, state: 'down', reason: isUp(status) ? message('status_down', { status }) : null }
  }
  const wrongText = findWrongText(check, probed)
  if (wrongText !== null) return { probed, state: 'down', reason: wrongText }
  const reason = findDegradation(check, probed, hadPage)
  return { probed, state: reason === null ? 'up' : 'degraded', reason }
}

const statusReasons: Readonly<Record<number, Message>> = {
  401: message('login_required'),
  403: message('access_denied'),
  429: message('requests_limited'),
}

function findWrongText({ requiredText, forbiddenText }: WebCheck, { texts }: Probed): Message | null {
  if (requiredText !== '' && texts[0] === false) return message('text_missing', { text: requiredText })
  return forbiddenText !== '' && texts.at(-1) === true
    ? message('text_forbidden', { text: forbiddenText })
    : null
}

function findDegradation(check: WebCheck, probed: Probed, hadPage: boolean): Message | null {
  if (hadPage && probed.status === 200 && check.readsBody && probed.isBlank && !check.acceptsEmpty)
    return message('page_empty')
  if (check.slowMs > 0 && probed.milliseconds >= check.slowMs)
    return message('response_slow', { seconds: check.slowMs / 1000 })
  return check.lacksHeaders ? message('check_header_unreadable') : null
}

/** Whether a page with content came. */
export const isPage = ({ readsBody }: WebCheck, { status, isBlank }: Probed): boolean =>
  readsBody && status === 200 && !isBlank
