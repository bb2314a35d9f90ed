import { useTranslation } from 'react-i18next'
import { problemText } from '../../entities/inspection/problem-text.ts'

export function useProblemText(): (problem: string) => string {
  const { t } = useTranslation()
  return (problem) => problemText(t, problem)
}
