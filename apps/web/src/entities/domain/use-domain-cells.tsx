import { domainStateOf, domainStateOptions, type ExternalDomain } from '@kustos/contract/external-domains'
import { formatTime } from '@kustos/contract/grid'
import { IconCopy, IconHelpCircle } from '@tabler/icons-react'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { storedText } from '../../platform/message-text.ts'
import { copyAndNotify } from '../../ui/copy.ts'
import type { RowAction } from '../../ui/data-grid/types.ts'
import { StatusChip } from '../../ui/StatusChip.tsx'
import styles from './use-domain-cells.module.css'

type Checked = Pick<
  ExternalDomain,
  'check_error' | 'check_error_code' | 'check_error_params' | 'checked_at' | 'status'
>

/** Cells of the domain lists: a status that could not be confirmed is marked. Null means the default cell. */
export function useDomainCells(): Readonly<Record<string, (row: Checked) => ReactNode>> {
  const { t } = useTranslation()
  return useMemo(() => {
    const reasonOf = (row: Checked) =>
      row.check_error && storedText(row.check_error, row.check_error_code, row.check_error_params)
    return {
      status: (row) => {
        const reason = reasonOf(row)
        if (reason === null) return null
        const { status, checked_at: at } = row
        const state = domainStateOf(status)
        const { tone = 'grey' } = domainStateOptions.find(({ value }) => value === state) ?? {}
        const tip =
          at === null
            ? t('limitis.check.never', { reason })
            : t('limitis.check.since', { time: formatTime(at), reason })
        return (
          <span data-tip={tip}>
            <StatusChip tone={tone} text={t(`gridLabels.domains.options.status.${state}`)} />
            <span role="img" aria-label={tip} className={styles.mark}>
              <IconHelpCircle size={14} aria-hidden="true" />
            </span>
          </span>
        )
      },
      check_error: reasonOf,
    }
  }, [t])
}

export function useCopyFqdn(): (row: { readonly fqdn: string }) => RowAction {
  const { t } = useTranslation()
  return ({ fqdn }) => ({
    key: 'copy',
    label: t('limitis.copyFqdn'),
    icon: <IconCopy size={16} />,
    run: () => void copyAndNotify(fqdn, t('limitis.copiedFqdn')),
  })
}
