import type { Route } from '@kustos/contract/route'
import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconFileSpreadsheet } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../app/api-error.ts'
import { download } from '../app/download.ts'
import { currentLanguage } from '../app/i18n.ts'
import type { GridView } from './data-grid/types.ts'
import { notifyDone, notifyFailed } from './notify.tsx'

const notification = 'webs-export'

interface Props extends GridView {
  /** What writes the file. */
  readonly route: Route
  /** Why there is nothing to export here; the button keeps its place all the same. */
  readonly unavailable?: string | undefined
}

/** A list of webs as it is filtered now, as an .xlsx file. */
export function ExportButton({ query, count, route, unavailable }: Props) {
  const { t, i18n } = useTranslation()
  const [running, setRunning] = useState(false)

  const say = (message: string) => ({
    id: notification,
    title: t('webs.export.running', { count }),
    message,
    loading: true,
    autoClose: false,
    withCloseButton: false,
  })
  const megabytes = (bytes: number) =>
    (bytes / 1_000_000).toLocaleString(i18n.language, { minimumFractionDigits: 1, maximumFractionDigits: 1 })

  async function run() {
    setRunning(true)
    notifications.show(say(t('webs.export.preparing')))
    try {
      const address = new URLSearchParams(query)
      // Search and sort go by the labels on screen.
      address.set('lang', currentLanguage())
      const file = await download(route, address.toString(), (received, total) => {
        if (total === null) return
        notifications.update(
          say(t('webs.export.received', { received: megabytes(received), total: megabytes(total) })),
        )
      })
      notifyDone(file, t('webs.export.done'))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
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
