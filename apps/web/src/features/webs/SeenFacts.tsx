import { formatTime } from '@kustos/contract/grid'
import { type FactName, factNames, type WebFact } from '@kustos/contract/inspections'
import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { timeAgo } from '../../ui/times.ts'
import { useNow } from '../../ui/use-now.ts'
import { useFactProblem } from './use-fact-problem.ts'
import styles from './webs.module.css'

/** When each fact of a web was seen last, and why a later try failed. */
export function SeenFacts({ facts }: { readonly facts: readonly WebFact[] }) {
  const now = useNow(30_000)
  return (
    <dl className={styles.facts}>
      {factNames.map((name) => (
        <Fact key={name} name={name} known={facts.find(({ fact }) => fact === name)} now={now} />
      ))}
    </dl>
  )
}

interface FactProps {
  readonly name: FactName
  /** Undefined where nobody ever looked. */
  readonly known: WebFact | undefined
  /** In milliseconds. */
  readonly now: number
}

function Fact({ name, known, now }: FactProps) {
  const { t, i18n } = useTranslation()
  const factProblem = useFactProblem()
  const time = (iso: string) => (
    <time dateTime={iso} title={formatTime(iso)}>
      {timeAgo(iso, now, i18n.language)}
    </time>
  )
  return (
    <>
      <dt>{t(`webs.seen.facts.${name}`)}</dt>
      <dd>
        {known === undefined
          ? t('webs.seen.notTried')
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
