import { domainStateOf, externalDomainColumns } from '@kustos/contract/external-domains'
import { formatTime } from '@kustos/contract/grid'
import { IconCopy, IconHelpCircle } from '@tabler/icons-react'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { sentence } from '../../platform/sentences.ts'
import { copyNoted } from '../../ui/copy.ts'
import type { RowAction } from '../../ui/data-grid/types.ts'
import { useLocalColumns } from '../../ui/data-grid/use-local-columns.ts'
import { StatusChip } from '../../ui/StatusChip.tsx'
import styles from './use-domain-cells.module.css'

interface Checked {
  readonly status: number | null
  readonly checked_at: string | null
  readonly check_error: string | null
}

/** Cells of the domain lists: a status that could not be confirmed is marked. Null means the default cell. */
export function useDomainCells(): Readonly<Record<string, (row: Checked) => ReactNode>> {
  const { t } = useTranslation()
  const { columns } = useLocalColumns(externalDomainColumns)
  return useMemo(() => {
    const options = columns.find(({ key }) => key === 'status')?.options ?? []
    return {
      status: ({ status, checked_at: at, check_error: error }) => {
        if (error === null) return null
        const state = domainStateOf(status)
        const { tone = 'grey', label = state } = options.find(({ value }) => value === state) ?? {}
        const reason = sentence(error)
        const tip =
          at === null
            ? t('limitis.check.never', { reason })
            : t('limitis.check.since', { time: formatTime(at), reason })
        return (
          <span data-tip={tip}>
            <StatusChip tone={tone} text={label} />
            <span role="img" aria-label={tip} className={styles.mark}>
              <IconHelpCircle size={14} aria-hidden="true" />
            </span>
          </span>
        )
      },
      check_error: ({ check_error: error }) => error && sentence(error),
    }
  }, [columns, t])
}

export function useCopyFqdn(): (row: { readonly fqdn: string }) => RowAction {
  const { t } = useTranslation()
  return ({ fqdn }) => ({
    key: 'copy',
    label: t('limitis.copyFqdn'),
    icon: <IconCopy size={16} />,
    run: () => void copyNoted(fqdn, t('limitis.copiedFqdn')),
  })
}
