import type { DeploymentStep, StepState } from '@kustos/contract/deployment'
import { Loader, Text, Title, VisuallyHidden } from '@mantine/core'
import { IconBan, IconCheck, IconCircleDashed, IconPlayerSkipForward, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { elapsedTime } from '../../ui/times.ts'
import styles from './deployment.module.css'
import { stepName } from './step-name.ts'

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
  readonly now: number
}

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
          // biome-ignore lint/suspicious/noArrayIndexKey: steps are identified by their position and never move.
          <Step key={index} step={step} now={now} />
        ))}
      </ol>
    </section>
  )
}

function Step({ step, now }: { readonly step: DeploymentStep; readonly now: number }) {
  const { t, i18n } = useTranslation()
  const { name_code: code, place, state } = step
  const time = state === 'skipped' ? null : elapsedTime(step, now, i18n.language)
  return (
    <li className={styles.step} data-state={state} title={t(`deployment.steps.places.${place}`)}>
      {icons[state]}
      <span className={styles.stepName} translate={code === null ? 'no' : undefined}>
        {stepName(step)}
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
