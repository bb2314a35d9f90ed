import { formatTime, type Tone } from '@kustos/contract/grid'
import { type TrackingDifference, trackingContractsRoutes } from '@kustos/contract/tracking-contracts'
import type { DifferenceKind } from '@kustos/contract/tracking-contracts/states'
import type { Web } from '@kustos/contract/webs'
import { Anchor, Button, Group } from '@mantine/core'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { descriptionText } from '../../entities/audit-log/description-text.ts'
import { displayUrls } from '../../entities/tracking/display-host.ts'
import { staleRoutes } from '../../entities/tracking-contract/calls.ts'
import styles from '../../entities/tracking-contract/tracking-contract.module.css'
import { useContractTexts } from '../../entities/tracking-contract/use-contract-texts.ts'
import { lazyPart } from '../../platform/load-code.ts'
import { storedText } from '../../platform/message-text.ts'
import { write } from '../../platform/query.ts'
import { Can } from '../../ui/Can.tsx'
import { FactList } from '../../ui/FactList.tsx'
import { notifyOutcome } from '../../ui/notify.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'

const ExceptionDialog = lazyPart(() => import('./ExceptionDialog.tsx'))

const { agreeToDifference, allowDifference } = trackingContractsRoutes

interface Props {
  readonly web: Web
  readonly difference: TrackingDifference
}

const tones: Readonly<Record<DifferenceKind, Tone>> = {
  missing: 'orange',
  unexpected: 'red',
  wrong_id: 'red',
  wrong_version: 'orange',
  too_early: 'red',
}

/** What differs, since when, its evidence, and what can be done about it. */
export function DifferenceItem({ web, difference }: Props) {
  const { t } = useTranslation()
  const [isAllowing, setAllowing] = useState(false)
  const facts = useFacts(web, difference)
  const { kind, reason, reason_code, reason_params, state, unseen_at } = difference
  const sentence = storedText(reason, reason_code, reason_params)
  const agree = (scope: 'web' | 'customer') =>
    void notifyOutcome(web.fqdn, t('trackingContract.drift.agreed'), () =>
      write(
        agreeToDifference,
        { params: { id: web.id }, body: { difference: difference.id, scope } },
        staleRoutes,
      ),
    )
  return (
    <>
      <div className={styles.title}>
        <StatusChip tone={tones[kind]} text={t(`trackingContract.kinds.${kind}`)} />
        <span>{sentence}</span>
        {state === 'pending' && <StatusChip tone="grey" text={t('trackingContract.drift.pending')} />}
        {unseen_at !== null && <StatusChip tone="grey" text={t('trackingContract.drift.unseen')} />}
      </div>
      <FactList facts={facts} />
      <Can access={agreeToDifference.access}>
        <Group gap="xs" className={styles.buttons}>
          <Button size="xs" variant="default" onClick={() => agree('web')}>
            {t('trackingContract.drift.agreeWeb')}
          </Button>
          {web.customer !== '' && (
            <Button size="xs" variant="default" onClick={() => agree('customer')}>
              {t('trackingContract.drift.agreeCustomer')}
            </Button>
          )}
          <Can access={allowDifference.access}>
            <Button size="xs" variant="default" onClick={() => setAllowing(true)}>
              {t('trackingContract.exception.button')}
            </Button>
          </Can>
        </Group>
      </Can>
      {isAllowing && (
        <Suspense>
          <ExceptionDialog
            web={web}
            difference={difference.id}
            sentence={sentence}
            onClose={() => setAllowing(false)}
          />
        </Suspense>
      )}
    </>
  )
}

function useFacts(web: Web, difference: TrackingDifference) {
  const { t } = useTranslation()
  const { subjectName } = useContractTexts()
  const { kind, expected, found, since, audit_id, evidence, preceded_by: cause } = difference
  const shown = (values: readonly string[]) => values.map(subjectName).join(', ')
  const labels = t('trackingContract.drift.facts', { returnObjects: true })
  const facts = [
    kind !== 'too_early' &&
      ([labels.expected, shown(expected) || t('trackingContract.values.none')] as const),
    [labels.found, shown(found) || t('trackingContract.values.none')] as const,
    [
      labels.since,
      <Anchor
        key="since"
        component={Link}
        to={{ pathname: `/hosting/tracking/${web.id}`, search: `?audit=${audit_id}` }}
        inherit
      >
        {t('trackingContract.drift.audit', { time: formatTime(since).slice(0, 16) })}
      </Anchor>,
    ] as const,
    evidence !== null &&
      ([
        labels.evidence,
        <span key="evidence">
          {evidence.phase !== undefined && `${t(`tracking.visit.phases.${evidence.phase}`)}: `}
          <span className={styles.evidence} translate="no">
            {displayUrls(evidence.url)}
          </span>
        </span>,
      ] as const),
    cause !== null && ([labels.cause, <Cause key="cause" cause={cause} />] as const),
  ]
  return facts.filter((fact) => fact !== false)
}

function Cause({ cause }: { readonly cause: NonNullable<TrackingDifference['preceded_by']> }) {
  const { t } = useTranslation()
  const { at, deployment, entry } = cause
  const time = formatTime(at).slice(0, 16)
  if (deployment !== null)
    return (
      <Anchor component={Link} to={`/queue/${deployment.id}`} inherit>
        {t('trackingContract.drift.cause', { what: t(`actions.${deployment.kind}.label`), time })}
      </Anchor>
    )
  return t('trackingContract.drift.cause', { what: descriptionText(t, entry?.description ?? ''), time })
}
