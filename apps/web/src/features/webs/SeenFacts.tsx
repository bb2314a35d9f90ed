import { formatTime } from '@kustos/contract/grid'
import { type FactName, factNames, type WebFact } from '@kustos/contract/inspections'
import type { Web } from '@kustos/contract/webs'
import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { FactList } from '../../ui/FactList.tsx'
import { timeAgo } from '../../ui/times.ts'
import { useNow } from '../../ui/use-now.ts'
import { useFactProblem } from './use-fact-problem.ts'
import styles from './webs.module.css'

interface Props {
  readonly facts: readonly WebFact[]
  /** What is known of it, since when or not. */
  readonly web: Web | undefined
  /** When the monitoring asked it last; null where it does not, or is not told. */
  readonly probedAt?: string | null
}

/** What may be known of a web without anybody having looked for it here: it came with the inventory. */
function isKnown(name: FactName, web: Web): boolean {
  switch (name) {
    case 'plesk':
      return web.status !== null
    case 'dns':
      return web.domain_state !== null
    case 'certificate':
      return web.cert_expiration !== null
    case 'http':
      return web.http_status_code !== null
    case 'framework':
      return web.framework_name !== null
    case 'tracking':
      return web.metadata.topics.length > 0
  }
}

/** When each fact of a web was seen last, and why a later try failed. */
export function SeenFacts({ facts, web, probedAt = null }: Props) {
  const now = useNow(30_000)
  return (
    <FactList>
      {factNames.map((name) => (
        <Fact
          key={name}
          name={name}
          known={facts.find(({ fact }) => fact === name)}
          isHeld={web !== undefined && isKnown(name, web)}
          probedAt={name === 'http' ? probedAt : null}
          now={now}
        />
      ))}
    </FactList>
  )
}

interface FactProps {
  readonly name: FactName
  /** Undefined where nobody ever looked. */
  readonly known: WebFact | undefined
  /** Whether there is something that was known before. */
  readonly isHeld: boolean
  /** Null where the monitoring does not tell it. */
  readonly probedAt: string | null
  /** In milliseconds. */
  readonly now: number
}

function Fact({ name, known, isHeld, probedAt, now }: FactProps) {
  const { t, i18n } = useTranslation()
  const factProblem = useFactProblem()
  const time = (iso: string) => (
    <time dateTime={iso} title={formatTime(iso)}>
      {timeAgo(iso, now, i18n.language)}
    </time>
  )
  if (probedAt !== null && (known === undefined || known.tried_at < probedAt))
    return (
      <>
        <dt>{t(`webs.seen.facts.${name}`)}</dt>
        <dd>
          {time(probedAt)}, {t('webs.seen.byProbe')}
        </dd>
      </>
    )
  return (
    <>
      <dt>{t(`webs.seen.facts.${name}`)}</dt>
      <dd>
        {known === undefined
          ? t(isHeld ? 'webs.seen.notTriedSince' : 'webs.seen.notTried')
          : known.seen_at === null
            ? t('webs.seen.never')
            : time(known.seen_at)}
        {known !== undefined && known.error !== null && (
          <Text
            fz="sm"
            {...(known.seen_at === known.tried_at ? { c: 'dimmed' } : { className: styles.unlearnt })}
          >
            {known.seen_at === known.tried_at ? (
              factProblem(known.error)
            ) : (
              <>
                {t('webs.seen.failed')} {factProblem(known.error)} ({time(known.tried_at)})
              </>
            )}
          </Text>
        )}
      </dd>
    </>
  )
}
