import { Anchor } from '@mantine/core'
import type { TFunction } from 'i18next'
import type { z } from 'zod'
import { issueText } from '../../platform/message-text.ts'
import styles from './ContractForm.module.css'
import { isRequired } from './rules.ts'
import type { ContractFormState } from './use-contract-form.ts'

interface FieldOptions<Value> {
  readonly label: string
  /** Under the field; a message takes its place. */
  readonly hint?: string | undefined
  /** How a value that is not text is shown. */
  readonly show?: (value: Value) => string
}

const order: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error']

/** The properties of a form's inputs, by the names that the contract gives the fields. */
export function fieldsOf<Values extends object>(
  schema: z.ZodObject,
  state: ContractFormState<Values>,
  t: TFunction,
) {
  const { form, clashes } = state
  type Name = keyof Values & string

  function input<N extends Name>(name: N, options: FieldOptions<Values[N]>, type: 'input' | 'checkbox') {
    const { error, onChange, ...held } = form.getInputProps(name, { type })
    const mine = clashes[name]
    const hint = error ? undefined : options.hint
    return {
      ...held,
      label: options.label,
      // The schema's sentences are English; the server's come translated.
      error: typeof error === 'string' ? issueText(error) : error,
      description:
        mine === undefined ? (
          hint
        ) : (
          <>
            {hint}{' '}
            <Displaced
              text={options.show?.(mine) ?? String(mine)}
              onTake={() => state.takeMine(name)}
              t={t}
            />
          </>
        ),
      onChange: (value: unknown) => {
        onChange(value)
        state.onChange(name)
      },
      onBlur: () => state.onLeave(name),
    }
  }

  return {
    values: form.values,
    /** For inputs that hold a value: texts, selects, groups of checkboxes. */
    field: <N extends Name>(name: N, options: FieldOptions<Values[N]>) => ({
      ...input(name, options, 'input'),
      required: isRequired(schema, name),
      inputWrapperOrder: order,
      className: styles.field,
    }),
    /** For one checkbox or switch. */
    toggle: <N extends Name>(name: N, options: FieldOptions<Values[N]>) => ({
      ...input(name, options, 'checkbox'),
      className: styles.toggle,
    }),
  }
}

export type FormFields<Values extends object> = ReturnType<typeof fieldsOf<Values>>

interface DisplacedProps {
  readonly text: string
  readonly onTake: () => void
  readonly t: TFunction
}

/** What was typed into a field that now shows another user's value. */
function Displaced({ text, onTake, t }: DisplacedProps) {
  return (
    <span className={styles.displaced}>
      <span className={styles.mine}>{t('form.yours', { text: text === '' ? '–' : text })}</span>{' '}
      <Anchor component="button" type="button" inherit onClick={onTake}>
        {t('form.takeYours')}
      </Anchor>
    </span>
  )
}
