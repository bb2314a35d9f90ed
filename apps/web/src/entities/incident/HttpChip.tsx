import { httpTone } from '@kustos/contract/webs'
import { useTranslation } from 'react-i18next'
import { StatusChip } from '../../ui/StatusChip.tsx'

/** An HTTP status; "???" without an answer (specification, section 2). */
export function HttpChip({ status }: { readonly status: number | null }) {
  const { t } = useTranslation()
  return status === null ? (
    <StatusChip tone="grey" text={t('monitoring.noAnswer')} />
  ) : (
    <StatusChip tone={httpTone(status)} text={String(status)} />
  )
}
