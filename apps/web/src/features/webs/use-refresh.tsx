import { can } from '@kustos/contract/permissions'
import { type Web, websRoutes } from '@kustos/contract/webs'
import { Anchor } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import { ApiError } from '../../app/api-error.ts'
import { requestInspection } from '../../app/request-inspection.ts'
import { sentence } from '../../app/sentences.ts'
import { useUser } from '../../app/session.ts'
import { webPath } from '../../app/web-paths.ts'
import type { BulkAction } from '../../ui/data-grid/types.ts'
import { notifyDone } from '../../ui/notify.tsx'
import { useAlert } from '../../ui/use-alert.tsx'
import { useBulkRun } from '../../ui/use-bulk-run.tsx'
import { useConfirm } from '../../ui/use-confirm.tsx'

const { refreshWeb } = websRoutes

/**
 * The refresh of one web, after a question; a refusal is told in a dialog, as of every action on a web.
 * @returns the inspection's id; null where there is none to follow
 */
export function useRefresh(): (web: Pick<Web, 'id' | 'fqdn'>, withLink?: boolean) => Promise<number | null> {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const alert = useAlert()
  const navigate = useNavigate()
  return async ({ id, fqdn }, withLink = false) => {
    const yes = t('webs.actions.refresh')
    if (!(await confirm({ title: fqdn, text: t('confirm.refresh'), yes }))) return null
    try {
      const inspection = await requestInspection(refreshWeb, id)
      const search = inspection === null ? '' : `?inspection=${inspection}`
      const link = (
        // Notifications stand outside of the router.
        <Anchor
          component="button"
          type="button"
          inherit
          onClick={() => void navigate(`${webPath(id)}${search}`)}
        >
          {t('webs.refresh.show')}
        </Anchor>
      )
      notifyDone(fqdn, t('webs.done.refreshing'), withLink && link)
      return inspection
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      alert({ title: fqdn, texts: [sentence(error.error ?? error.message)] })
      return null
    }
  }
}

/** The refresh of all chosen webs; nothing for those who may not ask for one. */
export function useBulkRefresh(): readonly BulkAction<Web>[] {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const bulkRun = useBulkRun<Web>()
  const may = can(useUser(), refreshWeb.access)

  async function run(webs: readonly Web[]) {
    const total = webs.length
    const title = t('webs.refresh.title', { count: total })
    const text = t('webs.refresh.question', { count: total })
    if (!(await confirm({ title, text, yes: t('webs.actions.refresh') }))) return
    const accepted = await bulkRun({
      rows: webs,
      work: ({ id }) => requestInspection(refreshWeb, id),
      running: t('webs.refresh.running'),
      failed: (count) => t('webs.refresh.failed', { count, total }),
    })
    if (accepted > 0) notifyDone(t('webs.refresh.title', { count: accepted }), t('webs.done.refreshing'))
  }

  if (!may) return []
  return [
    {
      key: 'refresh',
      label: t('webs.actions.refresh'),
      icon: <IconRefresh size={16} />,
      run: (webs) => void run(webs),
    },
  ]
}
