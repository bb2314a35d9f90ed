import type { Route } from '@kustos/contract/route'
import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconFileSpreadsheet } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { download } from '../../platform/download.ts'
import { currentLanguage } from '../../platform/i18n.ts'
import type { GridView } from '../../ui/data-grid/types.ts'
import { notifyDone, notifyFailed } from '../../ui/notify.tsx'

const notification = 'webs-export'

interface Props extends GridView {
  readonly route: Route
  /** Why nothing can be exported; the button is disabled then. */
  readonly unavailable?: string | undefined
}

/** Downloads the list as it is filtered and sorted on screen, as .xlsx. */
export function ExportButton({ query, count, route, unavailable }: Props) {
  const { t } = useTranslation()
  const [running, setRunning] = useState(false)

  const progressNotification = (message: string) => ({
    id: notification,
    title: t('webs.export.running', { count }),
    message,
    loading: true,
    autoClose: false,
    withCloseButton: false,
  })

  async function run() {
    setRunning(true)
    notifications.show(progressNotification(t('webs.export.preparing')))
    try {
      const searchParams = new URLSearchParams(query)
      // Search and sort use the labels on screen.
      searchParams.set('lang', currentLanguage())
      const file = await download(route, searchParams.toString(), (received, total) => {
        if (total === null) return
        notifications.update(
          progressNotification(
            t('webs.export.received', { received: received / 1_000_000, total: total / 1_000_000 }),
          ),
        )
      })
      notifyDone(file, t('webs.export.done'))
    } catch (error) {
      notifyFailed(t('webs.export.button'), error)
    } finally {
      notifications.hide(notification)
      setRunning(false)
    }
  }

  return (
    <Button
      variant="default"
      leftSection={<IconFileSpreadsheet size={16} />}
      loading={running}
      disabled={unavailable !== undefined}
      title={unavailable}
      onClick={() => void run()}
    >
      {t('webs.export.button')}
    </Button>
  )
}
