import type { TFunction } from 'i18next'
import { sentence } from '../../platform/sentences.ts'

/** A problem of an audit in the user's language: the reason stands within it as a sentence of its own. */
export function problemText(t: TFunction, problem: string): string {
  const [, what, reason] = /^(.+?) could not be read: (.+)\.$/.exec(problem) ?? []
  if (what !== undefined && reason !== undefined)
    return t('tracking.unread', { what: sentence(what), reason: sentence(reason) })
  const [, page, type] = /^(.+) answered with (.*), which is no page\.$/.exec(problem) ?? []
  if (page !== undefined && type !== undefined) return t('tracking.noPage', { page, type })
  return sentence(problem)
}
