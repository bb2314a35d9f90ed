import { Alert, Button, Group, Text } from '@mantine/core'
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import styles from './ContractForm.module.css'
import { type FormFields, fieldsOf } from './fields.tsx'
import { type ContractFormOptions, type Trouble, useContractForm } from './use-contract-form.ts'

interface Props<Schema extends z.ZodObject, Answer, Source extends object, Values extends object>
  extends ContractFormOptions<Schema, Answer, Source, Values> {
  /** What the button says. */
  readonly submitLabel: string
  /** Over the server's sentence where nothing was saved. */
  readonly failedText?: string
  /** Beside the button: a way out. */
  readonly beside?: ReactNode
  readonly children: (fields: FormFields<Values>) => ReactNode
}

/**
 * A form for the body of a route. It checks with the body's schema, shows the server's messages under their
 * fields, asks before unsaved input is left, and keeps what was typed whatever goes wrong: a failure, someone
 * else's change (409), a session that ended.
 */
export function ContractForm<
  Schema extends z.ZodObject,
  Answer,
  Source extends object,
  Values extends object,
>({ submitLabel, failedText, beside, children, ...options }: Props<Schema, Answer, Source, Values>) {
  const { t } = useTranslation()
  const state = useContractForm(options)
  const { form, root, submit, trouble, arrival, clashes } = state
  const clashing = Object.keys(clashes).length
  return (
    <form ref={root} noValidate onSubmit={submit} className={styles.form}>
      {arrival !== undefined && (
        <Alert variant="outline" role="status" p="sm" icon={<IconInfoCircle size={16} />}>
          {t(`form.arrived.${arrival}`)} {clashing > 0 && t('form.clashes', { count: clashing })}
        </Alert>
      )}
      {children(fieldsOf(options.schema, state, t))}
      {trouble !== undefined && (
        <Obstacle
          trouble={trouble}
          title={trouble.kind === 'conflict' ? t('form.conflict') : (failedText ?? t('form.failed'))}
          loading={state.loading}
          {...(trouble.kind === 'conflict' && state.takeNewest && { onLoad: state.takeNewest })}
        />
      )}
      <Group gap="sm" className={styles.end}>
        <Button type="submit" loading={form.submitting}>
          {submitLabel}
        </Button>
        {beside}
      </Group>
    </form>
  )
}

interface ObstacleProps {
  readonly trouble: Trouble
  readonly title: string
  readonly loading: boolean
  readonly onLoad?: () => Promise<void>
}

/** Is above the button, where the user is looking after pressing it. */
function Obstacle({ trouble, title, loading, onLoad }: ObstacleProps) {
  const { t } = useTranslation()
  const root = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: every new trouble comes into view
  useEffect(() => {
    root.current?.scrollIntoView({ block: 'nearest' })
  }, [trouble])
  return (
    <Alert
      ref={root}
      color="red"
      variant="outline"
      role="alert"
      p="sm"
      icon={<IconAlertTriangle size={16} />}
      className={styles.obstacle}
    >
      <Group justify="space-between" gap="sm">
        <div className={styles.said}>
          <Text fw={500}>{title}</Text>
          {trouble.sentences.map((said) => (
            <Text key={said}>{said}</Text>
          ))}
          {onLoad && <Text>{t('form.newestHint')}</Text>}
        </div>
        {onLoad && (
          <Button variant="default" loading={loading} onClick={() => void onLoad()}>
            {t('form.loadNewest')}
          </Button>
        )}
      </Group>
    </Alert>
  )
}
