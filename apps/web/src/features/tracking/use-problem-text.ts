import { useTranslation } from 'react-i18next'
import { problemText } from '../../app/problem-text.ts'

/** Problems of audits in the user's language. */
export function useProblemText(): (problem: string) => string {
  const { t } = useTranslation()
  return (problem) => problemText(t, problem)
}
