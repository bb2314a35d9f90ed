import { formatTime } from '@kustos/contract/grid'
import type { IncidentEntry } from '@kustos/contract/incidents'
import { Anchor, Table } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { CustomerLink } from '../../entities/customer/CustomerLink.tsx'
import { incidentPath } from '../../entities/incident/paths.ts'
import tableStyles from '../../ui/ScrollTable.module.css'
import { ScrollTable } from '../../ui/ScrollTable.tsx'
import { Section } from '../../ui/Section.tsx'
import { incidentReason } from './incident-title.ts'
import { StateChip } from './StateChip.tsx'

/** The incidents of the webs that went down together. */
export function Members({ entries }: { readonly entries: readonly IncidentEntry[] }) {
  const { t } = useTranslation()
  const { columns } = t('gridLabels.incidents', { returnObjects: true })
  return (
    <Section title={t('incidents.members', { count: entries.length })}>
      <ScrollTable
        label={t('incidents.members', { count: entries.length })}
        miw={840}
        columns={[
          { label: columns.subject },
          { label: columns.state },
          { label: columns.reason, width: '25%' },
          { label: columns.customer },
          { label: columns.started_at },
          { label: columns.ended_at },
        ]}
      >
        {entries.map((entry) => (
          <Table.Tr key={entry.id}>
            <Table.Td>
              <Anchor component={Link} to={incidentPath(entry.id)} inherit>
                {entry.web?.fqdn}
              </Anchor>
            </Table.Td>
            <Table.Td>
              <StateChip incident={entry} />
            </Table.Td>
            <Table.Td className={tableStyles.reason}>{incidentReason(t, entry)}</Table.Td>
            <Table.Td>
              {entry.customers.map((code) => (
                <CustomerLink key={code} code={code} />
              ))}
            </Table.Td>
            <Table.Td className={tableStyles.time}>{formatTime(entry.started_at)}</Table.Td>
            <Table.Td className={tableStyles.time}>{entry.ended_at && formatTime(entry.ended_at)}</Table.Td>
          </Table.Tr>
        ))}
      </ScrollTable>
    </Section>
  )
}
