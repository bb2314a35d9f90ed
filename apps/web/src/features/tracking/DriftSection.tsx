import type { Tone } from '@kustos/contract/grid'
import { formatTime } from '@kustos/contract/grid'
import {
  type TrackingDrift,
  trackingContractsRoutes,
  type WebContract,
} from '@kustos/contract/tracking-contracts'
import { type ContractState, listUnreadableFields } from '@kustos/contract/tracking-contracts/states'
import type { Web } from '@kustos/contract/webs'
import { Anchor, Button, Group, Skeleton, Text } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { draftContractPath } from '../../entities/customer/paths.ts'
import { stateTones } from '../../entities/tracking-contract/ContractWebs.tsx'
import { staleRoutes } from '../../entities/tracking-contract/calls.ts'
import type { ContractSource } from '../../entities/tracking-contract/contract-form.ts'
import styles from '../../entities/tracking-contract/tracking-contract.module.css'
import { useContractTexts } from '../../entities/tracking-contract/use-contract-texts.ts'
import { lazyPart } from '../../platform/load-code.ts'
import { queryClient, routeQuery, useRoute, write } from '../../platform/query.ts'
import { Can } from '../../ui/Can.tsx'
import { QueryState } from '../../ui/QueryState.tsx'
import { Section } from '../../ui/Section.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { DifferenceItem } from './DifferenceItem.tsx'
import { Exceptions } from './Exceptions.tsx'

const ContractDialog = lazyPart(() => import('../../entities/tracking-contract/ContractDialog.tsx'))

const { draftContract, readTrackingDrift, readWebContract, editWebContract } = trackingContractsRoutes

interface Props {
  readonly web: Web
  /** The id of the latest audit; what it found changes the differences. */
  readonly latestAudit: number | undefined
}

/** How the tracking of a web differs from its contract. */
export function DriftSection({ web, latestAudit }: Props) {
  const { t } = useTranslation()
  const input = { params: { id: web.id } }
  const query = useRoute(readTrackingDrift, input)
  const { refetch } = query
  useEffect(() => {
    if (latestAudit !== undefined) void refetch()
  }, [latestAudit, refetch])
  const state = query.data?.state
  return (
    <Section
      title={t('trackingContract.title')}
      hint={t('trackingContract.drift.hint')}
      beside={
        <Group gap="sm">
          {query.data?.has_contract && state !== undefined && <StateChip state={state} />}
          <Can access={editWebContract.access}>
            <EditButton web={web} />
          </Can>
        </Group>
      }
    >
      <QueryState query={query} skeleton={<Skeleton h={24} />}>
        {({ has_contract, differences, exceptions, recheck_at, ...judged }) => (
          <>
            {!has_contract && (
              <Text>
                {t('trackingContract.drift.noContract')}{' '}
                {web.customer !== '' && (
                  <Can access={draftContract.access}>
                    <Anchor component={Link} to={draftContractPath(web.customer)} inherit underline="always">
                      {t('trackingContract.drift.toCustomer', { code: web.customer })}
                    </Anchor>
                  </Can>
                )}
              </Text>
            )}
            {has_contract && differences.length === 0 && <NoDifferences {...judged} />}
            {has_contract && <UnreadableFields web={web} />}
            <ul className={styles.list}>
              {differences.map((difference) => (
                <li key={difference.id} className={styles.difference}>
                  <DifferenceItem web={web} difference={difference} />
                </li>
              ))}
            </ul>
            {recheck_at !== null && (
              <Text c="dimmed" fz="sm">
                {t('trackingContract.drift.recheck', { time: formatTime(recheck_at).slice(0, 16) })}
              </Text>
            )}
            {exceptions.length > 0 && <Exceptions web={web} exceptions={exceptions} />}
          </>
        )}
      </QueryState>
    </Section>
  )
}

/** What the contract says of the consent tool that audits cannot compare. */
function UnreadableFields({ web }: Pick<Props, 'web'>) {
  const { t } = useTranslation()
  const { fieldName } = useContractTexts()
  const contract = useRoute(readWebContract, { params: { id: web.id } }).data
  const fields = contract === undefined ? [] : listUnreadableFields(contract.effective)
  if (fields.length === 0) return null
  return (
    <Text c="dimmed" fz="sm">
      {t('trackingContract.drift.unreadable', { fields: fields.map(fieldName).join(', ') })}
    </Text>
  )
}

/** What it means that there is no difference, and since when. */
function NoDifferences({
  state,
  audited_at,
  is_complete,
}: Pick<TrackingDrift, 'state' | 'audited_at' | 'is_complete'>) {
  const { t } = useTranslation()
  if (audited_at === null) return <Text>{t('trackingContract.drift.notJudged')}</Text>
  const time = formatTime(audited_at).slice(0, 16)
  return (
    <Text>
      {t(`trackingContract.drift.${state === 'keeps' ? 'keeps' : 'outdated'}`, { time })}
      {is_complete === false && ` ${t('trackingContract.drift.incomplete')}`}
    </Text>
  )
}

function StateChip({ state }: { readonly state: ContractState }) {
  const { t } = useTranslation()
  const tone: Tone = stateTones[state]
  return <StatusChip tone={tone} text={t(`trackingContract.states.${state}`)} />
}

const toSource = ({ own, effective, updated_at }: WebContract): ContractSource => ({
  own,
  effective,
  updated_at,
  draft: null,
})

function EditButton({ web }: Pick<Props, 'web'>) {
  const { t } = useTranslation()
  const input = { params: { id: web.id } }
  const contract = useRoute(readWebContract, input).data
  const [isEditing, setEditing] = useState(false)
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconPencil size={16} />}
        disabled={contract === undefined}
        onClick={() => setEditing(true)}
      >
        {t('trackingContract.editOfWeb')}
      </Button>
      {isEditing && contract !== undefined && (
        <Suspense>
          <ContractDialog
            name={web.fqdn}
            source={toSource(contract)}
            save={(body, signal) => write(editWebContract, { ...input, body }, staleRoutes, signal)}
            loadLatest={async () =>
              toSource(await queryClient.fetchQuery({ ...routeQuery(readWebContract, input), staleTime: 0 }))
            }
            onClose={() => setEditing(false)}
          />
        </Suspense>
      )}
    </>
  )
}
