import { formatTime } from '@kustos/contract/grid'
import { type FactName, factNames, type WebFact } from '@kustos/contract/inspections'
import type { Web } from '@kustos/contract/webs'
import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { storedText } from '../../platform/message-text.ts'
import { FactList } from '../../ui/FactList.tsx'
import { timeAgo } from '../../ui/times.ts'
import { useNow } from '../../ui/use-now.ts'
import styles from './webs.module.css'

interface Props {
  readonly facts: readonly WebFact[]
  readonly web: Web | undefined
  /** Time of the last probe; null without monitoring or permission. */
  readonly probedAt?: string | null
}

/** Whether a value came with the inventory, without a check. */
const hasValue: Readonly<Record<FactName, (web: Web) => boolean>> = {
  plesk: (web) => web.status !== null,
  dns: (web) => web.domain_state !== null,
  certificate: (web) => web.cert_expiration !== null,
  http: (web) => web.http_status_code !== null,
  framework: (web) => web.framework_name !== null,
  tracking: (web) => web.metadata.topics.length > 0,
}

export function SeenFacts({ facts, web, probedAt = null }: Props) {
  const { t } = useTranslation()
  const now = useNow(30_000)
  return (
    <FactList
      facts={factNames.map((name) => [
        t(`webs.seen.facts.${name}`),
        <LastCheck
          key={name}
          known={facts.find(({ fact }) => fact === name)}
          isHeld={web !== undefined && hasValue[name](web)}
          probedAt={name === 'http' ? probedAt : null}
          now={now}
        />,
      ])}
    />
  )
}

interface LastCheckProps {
  /** Undefined if it was never checked. */
  readonly known: WebFact | undefined
  /** Whether a value came with the inventory. */
  readonly isHeld: boolean
  /** Null if the web is not monitored, or the user may not see it. */
  readonly probedAt: string | null
  readonly now: number
}

function LastCheck({ known, isHeld, probedAt, now }: LastCheckProps) {
  const { t, i18n } = useTranslation()
  const time = (iso: string) => (
    <time dateTime={iso} title={formatTime(iso)}>
      {timeAgo(iso, now, i18n.language)}
    </time>
  )
  const isRemark = known?.seen_at === known?.tried_at
  if (probedAt !== null && (known === undefined || known.tried_at < probedAt))
    return (
      <>
        {time(probedAt)}, {t('webs.seen.byProbe')}
      </>
    )
  return (
    <>
      {known === undefined
        ? t(isHeld ? 'webs.seen.notTriedSince' : 'webs.seen.notTried')
        : known.seen_at === null
          ? t('webs.seen.never')
          : time(known.seen_at)}
      {known !== undefined && known.error !== null && (
        <Text fz="sm" {...(isRemark ? { c: 'dimmed' } : { className: styles.failed })}>
          {!isRemark && `${t('webs.seen.failed')} `}
          {storedText(known.error, known.error_code, known.error_params)}
          {!isRemark && <> ({time(known.tried_at)})</>}
        </Text>
      )}
    </>
  )
}
