import { can } from '@kustos/contract/permissions'
import { type CustomerContract, trackingContractsRoutes } from '@kustos/contract/tracking-contracts'
import { contractFields } from '@kustos/contract/tracking-contracts/states'
import { Button, Group, Skeleton, Text } from '@mantine/core'
import { IconFileSearch, IconPencil } from '@tabler/icons-react'
import { Suspense, useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import { call } from '../../platform/client.ts'
import { lazyPart } from '../../platform/load-code.ts'
import { queryClient, routeQuery, useRoute, write } from '../../platform/query.ts'
import { useUpdatableSearchParams } from '../../platform/search-params.ts'
import { useUser } from '../../platform/session.ts'
import { Can } from '../../ui/Can.tsx'
import { FactList } from '../../ui/FactList.tsx'
import { notifyFailed } from '../../ui/notify.tsx'
import { QueryState } from '../../ui/QueryState.tsx'
import { Section } from '../../ui/Section.tsx'
import { ContractWebs } from './ContractWebs.tsx'
import { staleRoutes } from './calls.ts'
import type { ContractSource } from './contract-form.ts'
import styles from './tracking-contract.module.css'
import { useContractTexts } from './use-contract-texts.ts'

const ContractDialog = lazyPart(() => import('./ContractDialog.tsx'))

const { readCustomerContract, editCustomerContract, draftContract } = trackingContractsRoutes

/** What was agreed on about the tracking of a customer, and whether its webs keep it. */
export function CustomerContractSection({ code }: { readonly code: string }) {
  const { t } = useTranslation()
  const params = { code }
  const query = useRoute(readCustomerContract, { params })
  const [source, setSource] = useState<ContractSource | null>(null)
  const [isDrafting, setDrafting] = useState(false)
  const contract = query.data

  async function draft(current: CustomerContract) {
    setDrafting(true)
    try {
      const drafted = await call(draftContract, { params })
      if (drafted.audited === 0) notifyFailed(code, t('trackingContract.draft.nothing'))
      else setSource({ ...toSource(current), draft: drafted })
    } catch (error) {
      notifyFailed(code, error)
    } finally {
      setDrafting(false)
    }
  }

  const [searchParams] = useSearchParams()
  const [, updateSearchParams] = useUpdatableSearchParams()
  const mayDraft = can(useUser(), draftContract.access)
  const isDraftLinked = searchParams.get('draft') === '1' && contract !== undefined
  const openLinkedDraft = useEffectEvent(() => {
    updateSearchParams({ draft: null }, { replace: true })
    if (mayDraft && contract !== undefined) void draft(contract)
  })
  useEffect(() => {
    if (isDraftLinked) openLinkedDraft()
  }, [isDraftLinked])

  return (
    <Section
      title={t('trackingContract.title')}
      beside={
        <Group gap="sm">
          {mayDraft && (
            <Button
              variant="default"
              leftSection={<IconFileSearch size={16} />}
              disabled={contract === undefined}
              loading={isDrafting}
              onClick={() => contract && void draft(contract)}
            >
              {t('trackingContract.draft.button')}
            </Button>
          )}
          <Can access={editCustomerContract.access}>
            <Button
              variant="default"
              leftSection={<IconPencil size={16} />}
              disabled={contract === undefined}
              onClick={() => contract && setSource(toSource(contract))}
            >
              {t('trackingContract.edit')}
            </Button>
          </Can>
        </Group>
      }
    >
      <QueryState query={query} skeleton={<Skeleton h={80} />}>
        {(loaded) => <Contract contract={loaded} />}
      </QueryState>
      {source !== null && (
        <Suspense>
          <ContractDialog
            name={code}
            source={source}
            save={(body, signal) => write(editCustomerContract, { params, body }, staleRoutes, signal)}
            loadLatest={async () => {
              const latest = await queryClient.fetchQuery({
                ...routeQuery(readCustomerContract, { params }),
                staleTime: 0,
              })
              const drafted = source.draft && (await call(draftContract, { params }))
              const next = { ...toSource(latest), draft: drafted }
              // What is said of the draft is that of the latest.
              setSource(next)
              return next
            }}
            onClose={() => setSource(null)}
          />
        </Suspense>
      )}
    </Section>
  )
}

const toSource = ({ own, updated_at }: CustomerContract): ContractSource => ({
  own,
  effective: null,
  updated_at,
  draft: null,
})

function Contract({ contract: { own, webs } }: { readonly contract: CustomerContract }) {
  const { t } = useTranslation()
  const { fieldName, valueText } = useContractTexts()
  const agreed = contractFields.filter((field) => own[field] !== null)
  const isAgreed = agreed.length > 0 || webs?.some(({ overrides }) => overrides.length > 0) === true
  if (!isAgreed)
    return (
      <>
        <Text>{t('trackingContract.none')}</Text>
        <Text c="dimmed">{t('trackingContract.noneHint')}</Text>
      </>
    )
  return (
    <>
      <FactList
        facts={agreed.map((field) => [
          fieldName(field),
          <span key={field} className={styles.value} translate="no">
            {valueText(field, own[field])}
          </span>,
        ])}
      />
      {webs !== null && webs.length > 0 && <ContractWebs webs={webs} />}
    </>
  )
}
