import { useUpdatableSearchParams } from '../../../platform/search-params.ts'
import { useInspection } from '../../inspection/use-inspection.ts'
import { useWebActions } from './use-web-actions.tsx'
import type { ActionableWeb } from './web-actions.ts'

/** An inspection that a page about a web requests and follows. Its id is in the URL. */
export function useRequestedInspection(action: 'refresh' | 'audit') {
  const [searchParams, updateSearchParams] = useUpdatableSearchParams()
  const { run } = useWebActions('page')

  async function request(web: ActionableWeb) {
    const inspection = await run(action, web, { withLink: false })
    if (inspection === null) return
    // The page returns from an older audit to the latest.
    updateSearchParams(
      { inspection: String(inspection), audit: null },
      { replace: true, preventScrollReset: true },
    )
  }
  return { ...useInspection(searchParams.get('inspection')), request }
}
