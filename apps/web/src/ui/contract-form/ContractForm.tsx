import { Alert, Button, Group, Text } from '@mantine/core'
import { getHotkeyHandler } from '@mantine/hooks'
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react'
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import styles from './ContractForm.module.css'
import { createFields, type FormFields } from './fields.tsx'
import { markFirstField } from './focus.ts'
import { type ContractFormOptions, type SaveFailure, useContractForm } from './use-contract-form.ts'

export interface ContractFormProps<Schema extends z.ZodObject, Result, Source, Values extends object>
  extends ContractFormOptions<Schema, Result, Source, Values> {
  readonly submitLabel: string
  /** Whether there is nothing to send. */
  readonly submitDisabled?: boolean
  /** The heading of the server's error if nothing was saved. */
  readonly failedText?: string
  /** Beside the button, such as Cancel. */
  readonly beside?: ReactNode
  readonly children: (fields: FormFields<Values>) => ReactNode
}

/**
 * A form for the body of a route. It validates by the body's schema, shows the server's errors at their fields, asks
 * before unsaved input is lost, and keeps the input after a failure, a conflict (409) and the end of the session.
 */
export function ContractForm<Schema extends z.ZodObject, Result, Source, Values extends object>(
  props: ContractFormProps<Schema, Result, Source, Values>,
) {
  const { submitLabel, submitDisabled = false, failedText, beside, children, ...options } = props
  const { t } = useTranslation()
  const state = useContractForm(options)
  const { form, root, submit, failure, valuesOrigin, conflicts } = state
  const titles = { failed: failedText ?? t('form.failed'), conflict: t('form.conflict'), offline: null }
  const conflictCount = Object.keys(conflicts).length
  const submitButton = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => markFirstField(root.current), [root])

  /** Also with what the focused field takes only when it is left. */
  function submitByKey() {
    submitButton.current?.focus()
    submitButton.current?.click()
  }
  return (
    <form
      ref={root}
      noValidate
      onSubmit={submit}
      onKeyDown={getHotkeyHandler([['mod+S', submitByKey]])}
      className={styles.form}
    >
      {valuesOrigin !== undefined && (
        <Alert variant="outline" role="status" p="sm" icon={<IconInfoCircle size={16} />}>
          {t(`form.loaded.${valuesOrigin}`)}{' '}
          {conflictCount > 0 && t('form.conflicts', { count: conflictCount })}
        </Alert>
      )}
      {children(createFields(options.schema, state, t))}
      {failure !== undefined && (
        <SaveFailureAlert
          failure={failure}
          title={titles[failure.kind]}
          loading={state.loading}
          {...(failure.kind === 'conflict' && state.mergeLatest && { onLoad: state.mergeLatest })}
        />
      )}
      <Group gap="sm" className={styles.end}>
        <Button
          ref={submitButton}
          type="submit"
          loading={form.submitting}
          disabled={submitDisabled}
          aria-keyshortcuts="Control+S Meta+S"
        >
          {submitLabel}
        </Button>
        {beside}
      </Group>
    </form>
  )
}

interface SaveFailureProps {
  readonly failure: SaveFailure
  /** Null if the sentences say all. */
  readonly title: string | null
  readonly loading: boolean
  readonly onLoad?: () => Promise<void>
}

function SaveFailureAlert({ failure, title, loading, onLoad }: SaveFailureProps) {
  const { t } = useTranslation()
  const root = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new failure is scrolled into view
  useEffect(() => {
    root.current?.scrollIntoView({ block: 'nearest' })
  }, [failure])
  return (
    <Alert
      ref={root}
      color="red"
      variant="outline"
      role="alert"
      p="sm"
      icon={<IconAlertTriangle size={16} />}
      className={styles.failure}
    >
      <Group justify="space-between" gap="sm">
        <div className={styles.message}>
          {title !== null && <Text fw={500}>{title}</Text>}
          {failure.sentences.map((sentence) => (
            <Text key={sentence}>{sentence}</Text>
          ))}
          {onLoad && <Text>{t('form.latestHint')}</Text>}
        </div>
        {onLoad && (
          <Button variant="default" loading={loading} onClick={() => void onLoad()}>
            {t('form.loadLatest')}
          </Button>
        )}
      </Group>
    </Alert>
  )
}
