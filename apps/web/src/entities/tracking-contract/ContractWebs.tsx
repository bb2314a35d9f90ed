import { formatTime, type Tone } from '@kustos/contract/grid'
import type { CustomerContract } from '@kustos/contract/tracking-contracts'
import type { ContractState } from '@kustos/contract/tracking-contracts/states'
import { Anchor, Button, Table } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { ScrollTable } from '../../ui/ScrollTable.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { trackingPath } from '../tracking/paths.ts'
import { useContractTexts } from './use-contract-texts.ts'

type Webs = NonNullable<CustomerContract['webs']>

export const stateTones: Readonly<Record<ContractState, Tone>> = {
  differs: 'red',
  pending: 'orange',
  keeps: 'green',
  unknown: 'grey',
}
/** Those that need attention first. */
const order: readonly ContractState[] = ['differs', 'pending', 'unknown', 'keeps']
const initialCount = 10

/** Whether the webs of a customer keep the contract, and what they have for themselves. */
export function ContractWebs({ webs }: { readonly webs: Webs }) {
  const { t } = useTranslation()
  const { fieldName } = useContractTexts()
  const [isAll, setAll] = useState(false)
  const sorted = webs.toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state))
  return (
    <>
      <ScrollTable
        label={t('trackingContract.webs.table')}
        miw={680}
        columns={[
          { label: t('trackingContract.webs.web'), width: '30%' },
          { label: t('trackingContract.webs.state') },
          { label: t('trackingContract.webs.audit'), width: '22%' },
          { label: t('trackingContract.webs.overrides'), width: '25%' },
        ]}
      >
        {(isAll ? sorted : sorted.slice(0, initialCount)).map(
          ({ id, fqdn, state, audited_at, is_complete, differences, overrides }) => (
            <Table.Tr key={id}>
              <Table.Td>
                <Anchor component={Link} to={trackingPath(id)} inherit>
                  {fqdn}
                </Anchor>
              </Table.Td>
              <Table.Td>
                <StatusChip
                  tone={stateTones[state]}
                  text={
                    differences === 0
                      ? t(`trackingContract.states.${state}`)
                      : t('trackingContract.webs.differences', {
                          state: t(`trackingContract.states.${state}`),
                          count: differences,
                        })
                  }
                />
              </Table.Td>
              <Table.Td>
                {audited_at !== null && <AuditTime at={audited_at} isComplete={is_complete !== false} />}
              </Table.Td>
              <Table.Td>{overrides.map(fieldName).join(', ')}</Table.Td>
            </Table.Tr>
          ),
        )}
      </ScrollTable>
      {!isAll && webs.length > initialCount && (
        <Button variant="subtle" onClick={() => setAll(true)} mt="xs">
          {t('trackingContract.webs.all', { count: webs.length })}
        </Button>
      )}
    </>
  )
}

function AuditTime({ at, isComplete }: { readonly at: string; readonly isComplete: boolean }) {
  const { t } = useTranslation()
  const time = formatTime(at).slice(0, 16)
  return isComplete ? time : t('trackingContract.webs.incomplete', { time })
}
