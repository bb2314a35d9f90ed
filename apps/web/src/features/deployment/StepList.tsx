import type { DeploymentStep, StepState } from '@kustos/contract/deployment'
import { Loader, Text, Title, VisuallyHidden } from '@mantine/core'
import { IconBan, IconCheck, IconCircleDashed, IconPlayerSkipForward, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { duration, runningTime } from '../../ui/times.ts'
import styles from './deployment.module.css'

const icons: Readonly<Record<StepState, ReactNode>> = {
  pending: <IconCircleDashed size={16} aria-hidden="true" />,
  running: <Loader size={14} aria-hidden="true" role="presentation" />,
  succeeded: <IconCheck size={16} aria-hidden="true" />,
  failed: <IconX size={16} aria-hidden="true" />,
  cancelled: <IconBan size={16} aria-hidden="true" />,
  skipped: <IconPlayerSkipForward size={16} aria-hidden="true" />,
}

interface Props {
  readonly steps: readonly DeploymentStep[]
  /** In milliseconds; ticks while a step runs. */
  readonly now: number
}

/** The steps in their order, each with its state and its own time. */
export function StepList({ steps, now }: Props) {
  const { t } = useTranslation()
  return (
    <section aria-label={t('deployment.steps.title')}>
      <VisuallyHidden>
        <Title order={2}>{t('deployment.steps.title')}</Title>
      </VisuallyHidden>
      {steps.length === 0 && <Text c="dimmed">{t('deployment.steps.none')}</Text>}
      <ol className={styles.steps}>
        {steps.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps are told by their place, and never move.
          <Step key={index} step={step} now={now} />
        ))}
      </ol>
    </section>
  )
}

function Step({ step, now }: { readonly step: DeploymentStep; readonly now: number }) {
  const { t, i18n } = useTranslation()
  const { name, place, state, started_at: start, ended_at: end } = step
  const time =
    start === null || state === 'skipped'
      ? null
      : end === null
        ? runningTime(now - Date.parse(start))
        : duration(Date.parse(end) - Date.parse(start), i18n.language)
  return (
    <li className={styles.step} data-state={state} title={t(`deployment.steps.places.${place}`)}>
      {icons[state]}
      {/* As the operator's recipe calls it. */}
      <span className={styles.stepName} translate="no">
        {name}
      </span>
      <VisuallyHidden>{t(`deployment.steps.states.${state}`)}</VisuallyHidden>
      {(state === 'skipped' || state === 'cancelled') && (
        <span className={styles.stepTime} aria-hidden="true">
          {t(`deployment.steps.states.${state}`)}
        </span>
      )}
      {time !== null && <span className={styles.stepTime}>{time}</span>}
    </li>
  )
}
