import { formatBytes, formatTime } from '@kustos/contract/grid'
import { frameworkSupport, reportingChannels, type Web } from '@kustos/contract/webs'
import { Skeleton, Spoiler, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { channelNames } from '../../entities/customer/AlertChannels.tsx'
import { CustomerLink } from '../../entities/customer/CustomerLink.tsx'
import { useCustomerChannels } from '../../entities/customer/use-customer-channels.ts'
import { NodeLink } from '../../entities/node/NodeLink.tsx'
import { TagList } from '../../entities/tag/TagList.tsx'
import { certificateLeft } from '../../entities/web/certificate.ts'
import { isMarked, supportTones } from '../../entities/web/web-cells.tsx'
import { FactList } from '../../ui/FactList.tsx'
import { Section } from '../../ui/Section.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import styles from './web-page.module.css'

/** The facts in their order; the web list's columns have the labels. */
const facts: Readonly<Record<string, (web: Web) => ReactNode>> = {
  customer: (web) => <CustomerLink code={web.customer} />,
  node: (web) => <Mono text={web.node && <NodeLink name={web.node} />} />,
  sysuser: (web) => <Mono text={web.sysuser} />,
  configured_ip: (web) => <Mono text={web.configured_ip} />,
  framework_name: (web) => <Framework web={web} />,
  cert_expiration: (web) => <Certificate web={web} />,
  disk_usage: (web) => <Disk bytes={web.disk_usage} />,
  auftragnr_hosting: (web) => web.auftragnr_hosting.join(', ') || missing,
  categories: (web) => web.categories.map(({ name }) => name).join(', ') || missing,
  tags: (web) => (web.tags.length > 0 ? <TagList tags={web.tags} list="webs" /> : missing),
  comment: (web) => (web.comment ? <Comment text={web.comment} /> : missing),
  monitoring: (web) => <Monitoring web={web} />,
  created_at: (web) => formatTime(web.created_at),
  updated_at: (web) => formatTime(web.updated_at),
}

const missing = (
  <Text span c="dimmed">
    –
  </Text>
)

export function FactsSection({ web }: { readonly web: Web | undefined }) {
  const { t } = useTranslation()
  const labels: Readonly<Record<string, string>> = t('gridLabels.webs.columns', { returnObjects: true })
  return (
    <Section title={t('webPage.facts.title')}>
      <FactList
        facts={Object.entries(facts).map(([key, show]) => [
          key === 'monitoring' ? t('webs.form.sections.monitoring') : (labels[key] ?? key),
          web === undefined ? <Skeleton key={key} h={14} my={4} w={160} /> : show(web),
        ])}
      />
    </Section>
  )
}

const Mono = ({ text }: { readonly text: ReactNode }) =>
  text ? <span className={styles.mono}>{text}</span> : missing

function Comment({ text }: { readonly text: string }) {
  const { t } = useTranslation()
  return (
    <Spoiler
      maxHeight={120}
      showLabel={t('webPage.facts.showMore')}
      hideLabel={t('webPage.facts.showLess')}
      className={styles.comment}
    >
      {text}
    </Spoiler>
  )
}

function Framework({ web }: { readonly web: Web }) {
  const { t } = useTranslation()
  const { framework_name: name, framework_version: version } = web
  if (name === null) return missing
  const known = frameworkSupport(name, version, new Date())
  const until = known === null ? '' : known.until.replaceAll('-', '/')
  return (
    <span className={styles.marked}>
      {[name, version].filter((part) => part !== null).join(' ')}
      {known !== null && isMarked(known.support) && (
        <>
          <StatusChip tone={supportTones[known.support]} text={t(`webs.support.${known.support}`)} />
          <span className={styles.note}>{t(`webs.support.tips.${known.support}`, { until })}</span>
        </>
      )}
      {known?.support === 'supported' && (
        <span className={styles.note}>{t('webs.support.tips.ending', { until })}</span>
      )}
    </span>
  )
}

function Certificate({
  web: { cert_from: from, cert_expiration: end, cert_ca: issuer },
}: {
  readonly web: Web
}) {
  const { t } = useTranslation()
  if (end === null) return missing
  const { days, tone } = certificateLeft(from, end, new Date())
  const timeLeft = days < 0 ? t('webs.certificate.ended') : t('webs.certificate.days', { count: days })
  return (
    <span className={styles.marked}>
      <span title={formatTime(end)}>{formatTime(end).slice(0, 10)}</span>
      {tone === null ? (
        <span className={styles.note}>{timeLeft}</span>
      ) : (
        <StatusChip tone={tone} text={timeLeft} />
      )}
      {issuer !== null && <span className={styles.note}>{issuer}</span>}
    </span>
  )
}

function Disk({ bytes }: { readonly bytes: number | null }) {
  const { i18n } = useTranslation()
  if (bytes === null) return missing
  return (
    <span title={`${bytes.toLocaleString(i18n.language)} B`}>
      {formatBytes(bytes, i18n.language === 'de')}
    </span>
  )
}

function Monitoring({ web }: { readonly web: Web }) {
  const { t } = useTranslation()
  const joined = web.monitoring_web_reporting_channel.split(',')
  const own = reportingChannels.filter((channel) => joined.includes(channel))
  const ofCustomer = useCustomerChannels(own.length === 0 ? web.customer : null)
  if (web.monitoring_web_active === 0) return t('monitoring.states.unwatched')
  if (own.length > 0) return t('webPage.facts.monitoredBy', { channels: channelNames(own, t) })
  return ofCustomer.length === 0
    ? t('webPage.facts.monitored')
    : t('webPage.facts.monitoredByCustomer', { channels: channelNames(ofCustomer, t) })
}
