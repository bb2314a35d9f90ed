import { formatTime } from '@kustos/contract/grid'
import type { TrackingAudit } from '@kustos/contract/tracking'
import { Anchor, Table } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link, type To } from 'react-router-dom'
import styles from '../../entities/tracking/tracking.module.css'
import { storedTexts } from '../../platform/message-text.ts'
import { Section } from '../../ui/Section.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { outcomeTones } from './AuditHead.tsx'

interface Props {
  readonly audits: readonly TrackingAudit[]
  readonly shown: number
  readonly address: (audit: number | null) => To
}

export function History({ audits, shown, address }: Props) {
  const { t } = useTranslation()
  return (
    <Section title={t('tracking.history.title')}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard. */}
      <section className={styles.wide} tabIndex={0} aria-label={t('tracking.history.table')}>
        <Table className={styles.table} miw={860}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{t('tracking.history.time')}</Table.Th>
              <Table.Th scope="col">{t('tracking.history.outcome')}</Table.Th>
              <Table.Th scope="col">{t('tracking.history.engine')}</Table.Th>
              <Table.Th scope="col" className={styles.number}>
                {t('tracking.history.found')}
              </Table.Th>
              <Table.Th scope="col" className={styles.number}>
                {t('tracking.history.changes')}
              </Table.Th>
              <Table.Th scope="col" w="40%">
                {t('tracking.history.problems')}
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {audits.map(({ id, audited_at: at, outcome, engine, findings, changes, ...audit }, index) => (
              <Table.Tr key={id}>
                <Table.Td className={styles.time}>
                  {id === shown ? (
                    <span aria-current="true">
                      {formatTime(at)} <span className={styles.dimmed}>{t('tracking.history.shown')}</span>
                    </span>
                  ) : (
                    <Anchor component={Link} to={address(index === 0 ? null : id)} inherit>
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
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </section>
    </Section>
  )
}
