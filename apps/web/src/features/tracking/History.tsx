import { formatTime } from '@kustos/contract/grid'
import type { TrackingAudit } from '@kustos/contract/tracking'
import { Anchor, Table, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link, type To } from 'react-router-dom'
import { storedTexts } from '../../platform/message-text.ts'
import styles from '../../ui/ScrollTable.module.css'
import { ScrollTable } from '../../ui/ScrollTable.tsx'
import { Section } from '../../ui/Section.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { outcomeTones } from './AuditHead.tsx'
import { ReportButtons } from './ReportButtons.tsx'

interface Props {
  readonly audits: readonly TrackingAudit[]
  readonly shown: number
  readonly auditUrl: (audit: number | null) => To
}

export function History({ audits, shown, auditUrl }: Props) {
  const { t } = useTranslation()
  return (
    <Section title={t('tracking.history.title')}>
      <ScrollTable
        label={t('tracking.history.table')}
        miw={860}
        columns={[
          { label: t('tracking.history.time') },
          { label: t('tracking.history.outcome') },
          { label: t('tracking.history.engine') },
          { label: t('tracking.history.found'), isNumber: true },
          { label: t('tracking.history.changes'), isNumber: true },
          { label: t('tracking.history.problems'), width: '36%' },
          { label: t('tracking.history.report') },
        ]}
      >
        {audits.map(({ id, audited_at: at, outcome, engine, findings, changes, ...audit }, index) => (
          <Table.Tr key={id}>
            <Table.Td className={styles.time}>
              {id === shown ? (
                <span aria-current="true">
                  {formatTime(at)}{' '}
                  <Text span inherit display="block" c="dimmed">
                    {t('tracking.history.shown')}
                  </Text>
                </span>
              ) : (
                <Anchor component={Link} to={auditUrl(index === 0 ? null : id)} inherit>
                  {formatTime(at)}
                </Anchor>
              )}
            </Table.Td>
            <Table.Td>
              <StatusChip tone={outcomeTones[outcome]} text={t(`tracking.audit.outcomes.${outcome}`)} />
            </Table.Td>
            <Table.Td>{t(`tracking.history.engines.${engine}`)}</Table.Td>
            <Table.Td className={styles.number}>{outcome === 'failed' ? '–' : findings.length}</Table.Td>
            <Table.Td className={styles.number}>{outcome === 'failed' ? '–' : changes.length}</Table.Td>
            <Table.Td className={styles.reason}>
              {storedTexts(audit.problems.slice(0, 1), audit.problem_codes)}
              {audit.problems.length > 1 && ` (+${audit.problems.length - 1})`}
            </Table.Td>
            <Table.Td>
              <ReportButtons audit={{ ...audit, audited_at: at }} isCompact />
            </Table.Td>
          </Table.Tr>
        ))}
      </ScrollTable>
    </Section>
  )
}
