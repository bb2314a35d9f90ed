import { formatTime } from '@kustos/contract/grid'
import { type FactName, factNames, inspectionRoutes, type WebFact } from '@kustos/contract/inspections'
import { type Web, websRoutes } from '@kustos/contract/webs'
import { Alert, Button, Skeleton, Text } from '@mantine/core'
import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import { useRoute } from '../../app/query.ts'
import { useInspection } from '../../app/use-inspection.ts'
import { Can } from '../../ui/Can.tsx'
import { FormSection, Wide } from '../../ui/contract-form/FormSection.tsx'
import { QueryState } from '../../ui/QueryState.tsx'
import { timeAgo } from '../../ui/times.ts'
import { useNow } from '../../ui/use-now.ts'
import { useFactProblem } from './use-fact-problem.ts'
import { useRefresh } from './use-refresh.tsx'
import styles from './webs.module.css'

const { listWebFacts } = inspectionRoutes

/** When each fact of a web was seen last, and the look at it anew. */
export function LastSeen({ web }: { readonly web: Web }) {
  return (
    <Can access={listWebFacts.access}>
      <Panel web={web} />
    </Can>
  )
}

function Panel({ web }: { readonly web: Web }) {
  const { t } = useTranslation()
  const query = useRoute(listWebFacts, { params: { id: web.id } })
  const [address, setAddress] = useSearchParams()
  const { inspection, isUnderWay } = useInspection(address.get('inspection'))
  const refresh = useRefresh()
  const factProblem = useFactProblem()
  const state = inspection?.state

  async function onRefresh() {
    const asked = await refresh(web)
    if (asked === null) return
    setAddress({ inspection: String(asked) }, { replace: true, preventScrollReset: true })
  }

  return (
    <div className={styles.skeleton}>
      <FormSection title={t('webs.seen.title')} hint={t('webs.seen.hint')}>
        <Wide>
          <QueryState query={query} skeleton={<Skeleton h={150} />}>
            {({ data }) => <Facts facts={data} />}
          </QueryState>
        </Wide>
        <Wide>
          {state === 'failed' && (
            <Alert
              color="red"
              variant="outline"
              role="alert"
              p="sm"
              mb="sm"
              icon={<IconAlertTriangle size={16} />}
            >
              <Text fw={500}>{t('webs.seen.notDone')}</Text>
              {inspection?.problems.map((problem) => (
                <Text key={problem}>{factProblem(problem)}</Text>
              ))}
            </Alert>
          )}
          <div className={styles.asking}>
            <Can access={websRoutes.refreshWeb.access}>
              <Button
                variant="default"
                leftSection={<IconRefresh size={16} />}
                loading={isUnderWay}
                onClick={() => void onRefresh()}
              >
                {t('webs.actions.refresh')}
              </Button>
            </Can>
            {/* There from the start, so that it is read out. */}
            <Text role="status" c="dimmed">
              {(state === 'waiting' || state === 'running') && t(`webs.seen.${state}`)}
            </Text>
          </div>
        </Wide>
      </FormSection>
    </div>
  )
}

function Facts({ facts }: { readonly facts: readonly WebFact[] }) {
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
          <Text fz="sm" className={styles.unlearnt}>
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
