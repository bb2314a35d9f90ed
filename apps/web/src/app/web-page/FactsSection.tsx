import { formatBytes, formatTime } from '@kustos/contract/grid'
import { frameworkSupport, reportingChannels, type Web, webColumns } from '@kustos/contract/webs'
import { Skeleton, Spoiler, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { certificateLeft } from '../../features/webs/certificate.ts'
import { isMarked, supportTones } from '../../features/webs/use-web-cells.tsx'
import { useLocalColumns } from '../../ui/data-grid/use-local-columns.ts'
import { FactList } from '../../ui/FactList.tsx'
import { Section } from '../../ui/Section.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import styles from './web-page.module.css'

const order = [
  'customer',
  'node',
  'sysuser',
  'configured_ip',
  'framework_name',
  'cert_expiration',
  'disk_usage',
  'auftragnr_hosting',
  'categories',
  'comment',
  'created_at',
  'updated_at',
] as const
type FactKey = (typeof order)[number] | 'monitoring'

/** What is known of a web, called as the web list calls it. */
export function FactsSection({ web }: { readonly web: Web | undefined }) {
  const { t } = useTranslation()
  const { columns } = useLocalColumns(webColumns)
  const labels = new Map<string, string>(columns.map(({ key, label }) => [key, label]))
  const keys: readonly FactKey[] = [...order.slice(0, -2), 'monitoring', ...order.slice(-2)]
  return (
    <Section title={t('webPage.facts.title')}>
      <FactList>
        {keys.map((key) => (
          <Pair key={key} label={key === 'monitoring' ? t('webs.form.sections.monitoring') : labels.get(key)}>
            {web === undefined ? <Skeleton h={14} my={4} w={160} /> : <Fact fact={key} web={web} />}
          </Pair>
        ))}
      </FactList>
    </Section>
  )
}

function Pair({ label, children }: { readonly label: string | undefined; readonly children: ReactNode }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </>
  )
}

function Fact({ fact, web }: { readonly fact: FactKey; readonly web: Web }) {
  switch (fact) {
    case 'customer':
      return web.customer
    case 'node':
    case 'sysuser':
    case 'configured_ip':
      return <Plain text={web[fact]} mono />
    case 'framework_name':
      return <Framework web={web} />
    case 'cert_expiration':
      return <Certificate web={web} />
    case 'disk_usage':
      return <Disk bytes={web.disk_usage} />
    case 'auftragnr_hosting':
      return <Plain text={web.auftragnr_hosting.join(', ')} />
    case 'categories':
      return <Plain text={web.categories.map(({ name }) => name).join(', ')} />
    case 'comment':
      return web.comment ? <Comment text={web.comment} /> : <Plain text={null} />
    case 'monitoring':
      return <Monitoring web={web} />
    case 'created_at':
    case 'updated_at':
      return formatTime(web[fact])
  }
}

/** A dash where there is nothing. */
function Plain({ text, mono = false }: { readonly text: string | null; readonly mono?: boolean }) {
  if (text === null || text === '')
    return (
      <Text span c="dimmed">
        –
      </Text>
    )
  return mono ? <span className={styles.mono}>{text}</span> : text
}

/** In pixels: what is longer opens. */
const commentHeight = 120

function Comment({ text }: { readonly text: string }) {
  const { t } = useTranslation()
  return (
    <Spoiler
      maxHeight={commentHeight}
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
  if (name === null) return <Plain text={null} />
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

function Certificate({ web: { cert_expiration: end, cert_ca: issuer } }: { readonly web: Web }) {
  const { t } = useTranslation()
  if (end === null) return <Plain text={null} />
  const { days, tone } = certificateLeft(end, new Date())
  const said = days < 0 ? t('webs.certificate.ended') : t('webs.certificate.days', { count: days })
  return (
    <span className={styles.marked}>
      <span title={formatTime(end)}>{formatTime(end).slice(0, 10)}</span>
      {tone === null ? <span className={styles.note}>{said}</span> : <StatusChip tone={tone} text={said} />}
      {issuer !== null && <span className={styles.note}>{issuer}</span>}
    </span>
  )
}

function Disk({ bytes }: { readonly bytes: number | null }) {
  const { i18n } = useTranslation()
  if (bytes === null) return <Plain text={null} />
  return (
    <span title={`${bytes.toLocaleString(i18n.language)} B`}>
      {formatBytes(bytes, i18n.language === 'de')}
    </span>
  )
}

function Monitoring({ web }: { readonly web: Web }) {
  const { t } = useTranslation()
  if (web.monitoring_web_active === 0) return t('monitoring.states.unwatched')
  const joined = web.monitoring_web_reporting_channel.split(',')
  const channels = reportingChannels
    .filter((channel) => joined.includes(channel))
    .map((channel) => t(`webs.form.channels.${channel}`))
    .join(', ')
  return channels === '' ? t('webPage.facts.watched') : t('webPage.facts.watchedBy', { channels })
}
