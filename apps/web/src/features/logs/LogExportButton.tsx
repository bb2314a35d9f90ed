import { logSearchRoutes } from '@kustos/contract/logs'
import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type LogQuery, toSearchParams } from '../../entities/audit-log/paths.ts'
import { download } from '../../platform/download.ts'
import { notifyDone, notifyFailed } from '../../ui/notify.tsx'

/** Downloads all entries of the query as a CSV file. */
export function LogExportButton({ query }: { readonly query: LogQuery }) {
  const { t } = useTranslation()
  const [isRunning, setRunning] = useState(false)

  async function run() {
    setRunning(true)
    try {
      const params = toSearchParams(query).toString()
      const file = await download(logSearchRoutes.exportLogs, params, () => undefined)
      notifyDone(file, t('logs.export.done'))
    } catch (error) {
      notifyFailed(t('logs.export.button'), error)
    } finally {
      setRunning(false)
    }
  }

  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} />}
      loading={isRunning}
      onClick={() => void run()}
    >
      {t('logs.export.button')}
    </Button>
  )
}
