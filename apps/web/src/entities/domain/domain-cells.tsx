import { domainStateOf, domainStateOptions, type ExternalDomain } from '@kustos/contract/external-domains'
import { formatTime } from '@kustos/contract/grid'
import { IconHelpCircle } from '@tabler/icons-react'
import i18next from 'i18next'
import { copyAction } from '../../ui/data-grid/copy-action.ts'
import { GridLink } from '../../ui/data-grid/GridLink.tsx'
import type { Cells } from '../../ui/data-grid/types.ts'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { customerCells } from '../customer/customer-cells.tsx'
import styles from './domain-cells.module.css'
import { checkErrorText } from './domain-texts.ts'
import { domainPath } from './paths.ts'

type CheckedDomain = Pick<
  ExternalDomain,
  'customer' | 'fqdn' | 'check_error' | 'check_error_code' | 'check_error_params' | 'checked_at' | 'status'
>

/** Cells of the domain lists: a status that could not be confirmed is marked. */
export const domainCells: Cells<CheckedDomain> = {
  ...customerCells,
  fqdn: ({ fqdn }) => <GridLink to={domainPath(fqdn)}>{fqdn}</GridLink>,
  status: (row) => {
    const reason = checkErrorText(row)
    if (reason === null) return null
    const { status, checked_at: at } = row
    const state = domainStateOf(status)
    const { tone = 'grey' } = domainStateOptions.find(({ value }) => value === state) ?? {}
    const tip =
      at === null
        ? i18next.t('limitis.check.never', { reason })
        : i18next.t('limitis.check.since', { time: formatTime(at), reason })
    return (
      <span data-tip={tip}>
        <StatusChip tone={tone} text={i18next.t(`gridLabels.domains.options.status.${state}`)} />
        <span role="img" aria-label={tip} className={styles.mark}>
          <IconHelpCircle size={14} aria-hidden="true" />
        </span>
      </span>
    )
  },
}

export const copyFqdn = ({ fqdn }: { readonly fqdn: string }) =>
  copyAction(fqdn, i18next.t('limitis.copyFqdn'), i18next.t('limitis.copiedFqdn'))
