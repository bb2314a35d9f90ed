import { can } from '@kustos/contract/permissions'
import { trackingRoutes } from '@kustos/contract/tracking'
import type { Web } from '@kustos/contract/webs'
import { Anchor } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import { ApiError } from '../../app/api-error.ts'
import { requestInspection } from '../../app/request-inspection.ts'
import { sentence } from '../../app/sentences.ts'
import { useUser } from '../../app/session.ts'
import type { BulkAction } from '../../ui/data-grid/types.ts'
import { notifyDone } from '../../ui/notify.tsx'
import { useAlert } from '../../ui/use-alert.tsx'
import { useBulkRun } from '../../ui/use-bulk-run.tsx'
import { pagePath } from './paths.ts'

const { updateTracking } = trackingRoutes

type Named = Pick<Web, 'id' | 'fqdn'>

/** The audit of one web; a refusal is told in a dialog, as of every action on a web. */
export function useRefresh(): (web: Named, withLink?: boolean) => Promise<number | null> {
  const { t } = useTranslation()
  const alert = useAlert()
  const navigate = useNavigate()
  return async ({ id, fqdn }, withLink = false) => {
    try {
      const inspection = await requestInspection(updateTracking, id)
      const address = inspection === null ? pagePath(id) : `${pagePath(id)}?inspection=${inspection}`
      const link = (
        // Notifications stand outside of the router.
        <Anchor component="button" type="button" inherit onClick={() => void navigate(address)}>
          {t('tracking.showPage')}
        </Anchor>
      )
      notifyDone(fqdn, t('tracking.requested'), withLink && link)
      return inspection
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      alert({ title: fqdn, texts: [sentence(error.error ?? error.message)] })
      return null
    }
  }
}

/** The audit of all chosen webs; undefined for those who may not ask for one. */
export function useBulkRefresh(): readonly BulkAction<Web>[] | undefined {
  const { t } = useTranslation()
  const bulkRun = useBulkRun<Web>()
  const may = can(useUser(), updateTracking.access)

  async function run(webs: readonly Web[]) {
    const total = webs.length
    const accepted = await bulkRun({
      rows: webs,
      work: ({ id }) => requestInspection(updateTracking, id),
      running: t('tracking.list.bulkRunning'),
      failed: (count) => t('tracking.list.bulkFailed', { count, total }),
    })
    if (accepted > 0) notifyDone(t('tracking.list.bulkTitle', { count: accepted }), t('tracking.requested'))
  }

  if (!may) return undefined
  return [
    {
      key: 'refresh',
      label: t('tracking.list.refresh'),
      icon: <IconRefresh size={16} />,
      run: (webs) => void run(webs),
    },
  ]
}
