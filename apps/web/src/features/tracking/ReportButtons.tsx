import { formatTime } from '@kustos/contract/grid'
import { reportsRoutes } from '@kustos/contract/reports'
import { urlOf } from '@kustos/contract/route'
import type { TrackingAudit } from '@kustos/contract/tracking'
import { Button, Group } from '@mantine/core'
import { IconFileCode, IconFileTypePdf } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { download } from '../../platform/download.ts'
import { currentLanguage } from '../../platform/i18n.ts'
import { Can } from '../../ui/Can.tsx'
import { notifyDone, notifyFailed } from '../../ui/notify.tsx'

const formats = [
  ['html', IconFileCode],
  ['pdf', IconFileTypePdf],
] as const
type Offered = (typeof formats)[number][0]

interface Props {
  readonly audit: Pick<TrackingAudit, 'inspection_id' | 'audited_at'>
  /** With short labels, for rows of a table. */
  readonly isCompact?: boolean
}

/** Downloads the report of an audit; nothing for audits without a record. */
export function ReportButtons({ audit, isCompact = false }: Props) {
  const { t } = useTranslation()
  const [running, setRunning] = useState<Offered | null>(null)
  const { inspection_id: id, audited_at: at } = audit
  if (id === null) return null

  async function run(format: Offered, inspection: number) {
    setRunning(format)
    try {
      const query = new URLSearchParams({ format, language: currentLanguage() }).toString()
      const path = urlOf(reportsRoutes.readReport, { id: inspection })
      notifyDone(await download({ path }, query, () => undefined), t('tracking.report.done'))
    } catch (error) {
      notifyFailed(t(`tracking.report.${format}`), error)
    } finally {
      setRunning(null)
    }
  }

  return (
    <Can access={reportsRoutes.readReport.access}>
      <Group gap={isCompact ? 4 : 8} wrap={isCompact ? 'nowrap' : 'wrap'}>
        {formats.map(([format, Icon]) => (
          <Button
            key={format}
            variant={isCompact ? 'subtle' : 'default'}
            size={isCompact ? 'compact-sm' : 'sm'}
            leftSection={isCompact ? undefined : <Icon size={16} />}
            aria-label={
              isCompact
                ? t('tracking.report.of', { format: format.toUpperCase(), time: formatTime(at) })
                : undefined
            }
            loading={running === format}
            disabled={running !== null && running !== format}
            onClick={() => void run(format, id)}
          >
            {isCompact ? format.toUpperCase() : t(`tracking.report.${format}`)}
          </Button>
        ))}
      </Group>
    </Can>
  )
}
