import { findStorageOwner, storedVerdict } from '@kustos/contract/tracker-storage'
import type { ConsentPhase, StoredItem, TrackingVisit } from '@kustos/contract/tracking'
import { storageKinds } from '@kustos/contract/tracking'
import { Table, Text } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { displayHost, displayUrls } from '../../entities/tracking/display-host.ts'
import styles from '../../entities/tracking/tracking.module.css'
import { ScrollTable } from '../../ui/ScrollTable.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { lifetimeText, listSignalTexts, tcfText } from './consent-text.ts'

interface Props {
  readonly visit: TrackingVisit
  readonly phase: ConsentPhase
}

export const hasEvidence = ({ stored = [], signals = [], tcf = [] }: TrackingVisit, phase: ConsentPhase) =>
  [...stored, ...signals, ...tcf].some((one) => one.phase === phase)

/** What was stored in a phase, and what requests and the consent tool said about consent. */
export function PhaseEvidence({ visit: { stored = [], signals = [], tcf = [] }, phase }: Props) {
  const { t } = useTranslation()
  const items = stored.filter((item) => item.phase === phase)
  const texts = listSignalTexts(
    signals.filter((signal) => signal.phase === phase),
    t,
  )
  return (
    <>
      {items.length > 0 && <Stored items={items} phase={phase} />}
      {texts.map(({ text, hosts }) => (
        <Text key={text} c="dimmed" fz="sm" className={styles.others}>
          <b>{t('tracking.evidence.consentMode')}:</b> {text} ({hosts.map(displayHost).join(', ')})
        </Text>
      ))}
      {tcf
        .filter((consent) => consent.phase === phase)
        .map((consent) => (
          <Text key={consent.tc_string} c="dimmed" fz="sm" className={styles.others}>
            <b>{t('tracking.evidence.tcfTitle')}:</b> {tcfText(consent, t)}
          </Text>
        ))}
    </>
  )
}

const tones = { violation: 'red', review: 'orange' } as const

interface Owner {
  readonly name: string
  readonly tone: 'red' | 'orange'
}

/** The tracker that something stored belongs to, if that is without consent; null otherwise. */
function ownerOf(item: StoredItem): Owner | null {
  const verdict = storedVerdict(item)
  const name = item.entity ?? findStorageOwner(item)?.entity
  return name === undefined || (verdict !== 'violation' && verdict !== 'review')
    ? null
    : { name, tone: tones[verdict] }
}

/** That are named before the table is opened. */
const maxOwners = 3

function Stored({ items, phase }: { readonly items: readonly StoredItem[]; readonly phase: ConsentPhase }) {
  const { t } = useTranslation()
  const rows = items.map((item) => ({ item, owner: ownerOf(item) }))
  const owners = [
    ...new Map(rows.flatMap(({ owner }) => (owner ? [[owner.name, owner] as const] : []))).values(),
  ]
  const counts = storageKinds.flatMap((kind) => {
    const count = items.filter((item) => item.kind === kind).length
    return count === 0 ? [] : [`${t(`tracking.evidence.kinds.${kind}`)} (${count})`]
  })
  return (
    <details className={styles.item} data-stored>
      <summary className={styles.summary}>
        <IconChevronRight size={14} aria-hidden="true" className={styles.chevron} />
        <span className={styles.topic}>{t('tracking.evidence.title')}</span>
        <span className={styles.value}>{counts.join(', ')}</span>
        <span className={styles.badges}>
          {owners.slice(0, maxOwners).map(({ name, tone }) => (
            <StatusChip key={name} tone={tone} text={name} />
          ))}
          {owners.length > maxOwners && <StatusChip tone="grey" text={`+${owners.length - maxOwners}`} />}
        </span>
        <span className={styles.since}>{t('tracking.evidence.items', { count: items.length })}</span>
      </summary>
      <div className={styles.evidence}>
        <ScrollTable
          label={t('tracking.evidence.table', { phase: t(`tracking.visit.phases.${phase}`) })}
          miw={640}
          columns={[
            { label: t('tracking.evidence.columns.kind'), width: '16%' },
            { label: t('tracking.evidence.columns.name'), width: '30%' },
            { label: t('tracking.evidence.columns.host') },
            { label: t('tracking.evidence.columns.lifetime'), width: '14%' },
            { label: t('tracking.evidence.columns.setBy'), width: '20%' },
          ]}
        >
          {rows.map(({ item, owner }) => (
            <StoredRow key={`${item.kind} ${item.host} ${item.name}`} item={item} owner={owner} />
          ))}
        </ScrollTable>
      </div>
    </details>
  )
}

function StoredRow({ item, owner }: { readonly item: StoredItem; readonly owner: Owner | null }) {
  const { t, i18n } = useTranslation()
  const { kind, name, host, set_by: setBy } = item
  return (
    <Table.Tr>
      <Table.Td>{t(`tracking.evidence.kinds.${kind}`)}</Table.Td>
      <Table.Td>
        <span className={styles.code} translate="no">
          {kind === 'service_worker' ? displayUrls(name) : name}
        </span>{' '}
        {owner !== null && <StatusChip tone={owner.tone} text={owner.name} />}
      </Table.Td>
      <Table.Td className={styles.domain}>{displayHost(host)}</Table.Td>
      <Table.Td>{lifetimeText(item, t, i18n.language)}</Table.Td>
      <Table.Td className={styles.domain} title={setBy ?? undefined}>
        {setBy === null ? '–' : displayHost(URL.canParse(setBy) ? new URL(setBy).hostname : setBy)}
      </Table.Td>
    </Table.Tr>
  )
}
