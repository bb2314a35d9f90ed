import { useTranslation } from 'react-i18next'
import { factProblem } from './fact-problem.ts'

/** Why a fact could not be learnt, in the user's language. */
export function useFactProblem(): (problems: string) => string {
  const { t } = useTranslation()
  return (problems) => factProblem(t, problems)
}
