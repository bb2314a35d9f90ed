import type { TrackingAudit } from '@kustos/contract/tracking'
import type { Web } from '@kustos/contract/webs'
import { IconRadar2 } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { To } from 'react-router-dom'
import { FindingsSection } from '../../entities/tracking/FindingsSection.tsx'
import { collectFindings } from '../../entities/tracking/findings.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { useNow } from '../../ui/use-now.ts'
import { AuditHead } from './AuditHead.tsx'
import { Changes } from './Changes.tsx'
import { History } from './History.tsx'
import { VisitSection } from './VisitSection.tsx'

interface Props {
  readonly web: Web
  /** Newest first. */
  readonly audits: readonly TrackingAudit[]
  /** Id of the audit to show; the latest if there is none with that id. */
  readonly selectedId: number
  /** URL of an audit; null for the latest. */
  readonly auditUrl: (audit: number | null) => To
}

export function Audits({ web, audits, selectedId, auditUrl }: Props) {
  const { t } = useTranslation()
  const now = useNow(60_000)
  const at = Math.max(
    0,
    audits.findIndex(({ id }) => id === selectedId),
  )
  const findings = useMemo(
    () => collectFindings(audits, at, web.tracking_data, now),
    [audits, at, web.tracking_data, now],
  )
  const audit = audits[at]
  if (audit === undefined)
    return (
      <EmptyState icon={IconRadar2} title={t('tracking.audit.none')} hint={t('tracking.audit.noneHint')} />
    )
  const base = audits.find(({ outcome }, index) => index >= at && outcome !== 'failed')
  const isFirst = audits.every(({ outcome }, index) => index <= at || outcome === 'failed')
  return (
    <>
      <AuditHead audit={audit} base={base} isLatest={at === 0} toLatest={auditUrl(null)} now={now} />
      {base !== undefined && (
        <>
          {base.visit !== null && <VisitSection visit={base.visit} isComplete={base.outcome === 'seen'} />}
          <FindingsSection findings={findings} isComplete={audit === base && audit.is_complete} />
          {audit === base && <Changes changes={base.changes} isFirst={isFirst} />}
        </>
      )}
      <History audits={audits} shown={audit.id} auditUrl={auditUrl} />
    </>
  )
}
