import { useTranslation } from 'react-i18next'
import { sentence } from '../../app/sentences.ts'

/** Problems of audits in the user's language: the reason stands within them as a sentence of its own. */
export function useProblemText(): (problem: string) => string {
  const { t } = useTranslation()
  return (problem) => {
    const [, what, reason] = /^(.+?) could not be read: (.+)\.$/.exec(problem) ?? []
    if (what === undefined || reason === undefined) return sentence(problem)
    return t('tracking.unread', { what: sentence(what), reason: sentence(reason) })
  }
}
