import type { DomainRecords } from '@kustos/contract/domains'
import { formatTime } from '@kustos/contract/grid'
import { Table, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { displayHost } from '../../entities/tracking/display-host.ts'
import tableStyles from '../../ui/ScrollTable.module.css'
import { ScrollTable } from '../../ui/ScrollTable.tsx'
import { Section } from '../../ui/Section.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import styles from './domains.module.css'
import { RecordList } from './RecordList.tsx'

/** The records that were replaced, latest first. */
export function HistorySection({ domain: { records } }: { readonly domain: DomainRecords }) {
  const { t } = useTranslation()
  const replaced = records
    .filter((set) => !set.is_current)
    .sort((a, b) => Date.parse(b.last_seen_at) - Date.parse(a.last_seen_at))
  const since = records.reduce<string | null>(
    (first, set) => (first === null || set.first_seen_at < first ? set.first_seen_at : first),
    null,
  )
  const nextOf = (set: (typeof records)[number]) =>
    records
      .filter(
        (other) =>
          other.host === set.host && other.type === set.type && other.first_seen_at > set.first_seen_at,
      )
      .sort((a, b) => Date.parse(a.first_seen_at) - Date.parse(b.first_seen_at))[0]
  return (
    <Section title={t('domains.records.history')}>
      {replaced.length === 0 ? (
        <Text c="dimmed">
          {since === null
            ? t('domains.records.empty')
            : t('domains.records.unchanged', { time: formatTime(since) })}
        </Text>
      ) : (
        <ScrollTable
          label={t('domains.records.replaced')}
          miw={720}
          columns={[
            { label: t('domains.records.host'), width: '24%' },
            { label: t('domains.records.type'), width: '80px' },
            { label: t('domains.records.records') },
            { label: t('domains.records.since'), width: '150px' },
            { label: t('domains.records.until'), width: '150px' },
            { label: '', width: '110px' },
          ]}
        >
          {replaced.map((set) => (
            <Table.Tr key={set.id}>
              <Table.Td className={styles.host}>{displayHost(set.host)}</Table.Td>
              <Table.Td>{set.type}</Table.Td>
              <Table.Td>
                <RecordList records={set.records} />
              </Table.Td>
              <Table.Td className={tableStyles.time}>{formatTime(set.first_seen_at)}</Table.Td>
              <Table.Td className={tableStyles.time}>{formatTime(set.last_seen_at)}</Table.Td>
              <Table.Td>
                {nextOf(set)?.alerted_at && <StatusChip tone="orange" text={t('domains.records.alerted')} />}
              </Table.Td>
            </Table.Tr>
          ))}
        </ScrollTable>
      )}
    </Section>
  )
}
