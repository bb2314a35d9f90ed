import type { DomainRecords, RecordSet } from '@kustos/contract/domains'
import { formatTime } from '@kustos/contract/grid'
import { Table, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { displayHost } from '../../entities/tracking/display-host.ts'
import { storedText } from '../../platform/message-text.ts'
import tableStyles from '../../ui/ScrollTable.module.css'
import { ScrollTable } from '../../ui/ScrollTable.tsx'
import { Section } from '../../ui/Section.tsx'
import styles from './domains.module.css'
import { RecordList } from './RecordList.tsx'

/** The name itself first, then those below it. */
const order = (name: string) => (a: RecordSet, b: RecordSet) =>
  Number(b.host === name) - Number(a.host === name) ||
  a.host.localeCompare(b.host) ||
  a.type.localeCompare(b.type)

/** What the last answers had; types without records are left out unless they could not be read. */
export function RecordsSection({ domain }: { readonly domain: DomainRecords }) {
  const { t } = useTranslation()
  const { records, failures, ascii, read_at: readAt } = domain
  const failureOf = ({ host, type }: RecordSet) =>
    failures.find((failure) => failure.host === host && failure.type === type)
  const shown = records
    .filter((set) => set.is_current && (set.records.length > 0 || failureOf(set) !== undefined))
    .sort(order(ascii))
  const unread = failures.filter(
    ({ host, type }) => !records.some((set) => set.is_current && set.host === host && set.type === type),
  )
  const reasonOf = (failure: (typeof failures)[number]) =>
    t('domains.records.failed', {
      reason: storedText(failure.reason, failure.reason_code, failure.reason_params),
    })
  return (
    <Section title={t('domains.records.title')}>
      {shown.length + unread.length === 0 ? (
        <Text c="dimmed">{t('domains.records.empty')}</Text>
      ) : (
        <ScrollTable
          label={t('domains.records.records')}
          miw={{ sm: 640 }}
          columns={[
            { label: t('domains.records.host'), width: '34%' },
            { label: t('domains.records.type'), width: '64px' },
            { label: t('domains.records.records') },
            { label: t('domains.records.since'), width: '160px', visibleFrom: 'sm' },
          ]}
        >
          {shown.map((set) => {
            const failure = failureOf(set)
            return (
              <Table.Tr key={set.id}>
                <Table.Td className={styles.host}>{displayHost(set.host)}</Table.Td>
                <Table.Td>{set.type}</Table.Td>
                <Table.Td>
                  <RecordList records={set.records} />
                  {failure && <Text c="dimmed">{reasonOf(failure)}</Text>}
                  {set.last_seen_at !== readAt && (
                    <Text c="dimmed">
                      {t('domains.records.asOf', { time: formatTime(set.last_seen_at) })}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td visibleFrom="sm" className={tableStyles.time}>
                  {formatTime(set.first_seen_at)}
                </Table.Td>
              </Table.Tr>
            )
          })}
          {unread.map((failure) => (
            <Table.Tr key={`${failure.host} ${failure.type}`}>
              <Table.Td className={styles.host}>{displayHost(failure.host)}</Table.Td>
              <Table.Td>{failure.type}</Table.Td>
              <Table.Td>
                <Text c="dimmed">{reasonOf(failure)}</Text>
              </Table.Td>
              <Table.Td visibleFrom="sm" />
            </Table.Tr>
          ))}
        </ScrollTable>
      )}
    </Section>
  )
}
