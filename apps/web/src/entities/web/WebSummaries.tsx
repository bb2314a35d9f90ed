import type { Uptime, WebSummary } from '@kustos/contract/web-summary'
import { Anchor, Button, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import tableStyles from '../../ui/ScrollTable.module.css'
import { ScrollTable, type TableColumn } from '../../ui/ScrollTable.tsx'
import { Section } from '../../ui/Section.tsx'
import { CustomerLink } from '../customer/CustomerLink.tsx'
import { DownFor } from '../incident/DownFor.tsx'
import { downText } from '../incident/reason-text.ts'
import { percentText } from '../incident/uptime.ts'
import { NodeLink } from '../node/NodeLink.tsx'
import { ServiceChips } from '../tracking/ServiceChips.tsx'
import { requestedName } from '../tracking/service-name.ts'
import { webPath } from './paths.ts'
import styles from './web-summaries.module.css'

const initialCount = 20

interface Props {
  readonly webs: readonly WebSummary[]
  readonly uptime: Uptime | null
  /** What the webs differ in; what they share is in the page's title. */
  readonly shows: 'customer' | 'node'
}

/** The webs of a customer or a node. */
export function WebSummaries({ webs, uptime, shows }: Props) {
  const { t, i18n } = useTranslation()
  const [isAll, setAll] = useState(false)
  const { columns } = t('gridLabels.webs', { returnObjects: true })
  const percent = (value: number | null | undefined) => percentText(value ?? null, i18n.language)
  // Those that need attention come first.
  const sorted = webs.toSorted((a, b) => Number(b.down_since !== null) - Number(a.down_since !== null))
  const shown = isAll ? sorted : sorted.slice(0, initialCount)
  const hint =
    uptime === null
      ? String(webs.length)
      : t('customers.webs.uptime', {
          count: webs.length,
          month: percent(uptime.days_30),
          quarter: percent(uptime.days_90),
        })
  const uptimeColumn = (count: number): TableColumn => ({
    label: t('customers.webs.days', { count }),
    hint: t('customers.webs.uptimeOf', { count }),
    isNumber: true,
    visibleFrom: 'sm',
  })
  const ownerOf = ({ customer, node }: WebSummary) =>
    shows === 'customer' ? <CustomerLink code={customer} /> : node && <NodeLink name={node} />
  return (
    <Section title={t('customers.parts.webs')} hint={webs.length === 0 ? undefined : hint}>
      {webs.length === 0 ? (
        <Text c="dimmed">{t('customers.none')}</Text>
      ) : (
        <ScrollTable
          label={t('customers.webs.table')}
          miw={{ sm: 640 }}
          columns={[
            { label: columns.fqdn },
            { label: columns[shows], visibleFrom: 'sm' },
            { label: columns.framework_name, visibleFrom: 'sm' },
            ...(uptime === null ? [] : [uptimeColumn(30), uptimeColumn(90)]),
            { label: t('customers.webs.beforeConsent') },
          ]}
        >
          {shown.map((web) => (
            <Table.Tr key={web.id}>
              <Table.Td className={styles.host}>
                <Anchor component={Link} to={webPath(web.id)} inherit>
                  {web.fqdn}
                </Anchor>{' '}
                {web.down_since !== null && <DownFor since={web.down_since} />}
                {web.down_reason !== null && (
                  <Text size="xs" c="dimmed" ff="text">
                    {downText(web)}
                  </Text>
                )}
                <Text component="div" hiddenFrom="sm" ff="text" fz={12} c="dimmed">
                  <div>{ownerOf(web)}</div>
                  {[frameworkOf(web), uptime && percent(web.uptime?.days_30)].filter(Boolean).join(' · ')}
                </Text>
              </Table.Td>
              <Table.Td visibleFrom="sm" className={styles.short}>
                {ownerOf(web)}
              </Table.Td>
              <Table.Td visibleFrom="sm" className={styles.short}>
                {frameworkOf(web)}
              </Table.Td>
              {uptime !== null &&
                ([30, 90] as const).map((days) => (
                  <Table.Td key={days} visibleFrom="sm" className={tableStyles.number}>
                    {percent(web.uptime?.[`days_${days}`])}
                  </Table.Td>
                ))}
              <Table.Td>
                <BeforeConsent found={web.before_consent} />
              </Table.Td>
            </Table.Tr>
          ))}
        </ScrollTable>
      )}
      {shown.length < webs.length && (
        <Button variant="default" onClick={() => setAll(true)} style={{ alignSelf: 'flex-start' }}>
          {t('webPage.all', { count: webs.length })}
        </Button>
      )}
    </Section>
  )
}

const frameworkOf = ({ framework_name, framework_version }: WebSummary) =>
  [framework_name, framework_version].filter(Boolean).join(' ')

function BeforeConsent({ found }: { readonly found: WebSummary['before_consent'] }) {
  const { t } = useTranslation()
  if (found === null)
    return (
      <Text span inherit c="dimmed">
        {t('customers.webs.unknown')}
      </Text>
    )
  if (found.length === 0) return t('customers.webs.nothing')
  return <ServiceChips names={[...new Set(found.map(requestedName))]} />
}
