import { Anchor } from '@mantine/core'
import type { TFunction } from 'i18next'
import type { z } from 'zod'
import { issueText } from '../../platform/message-text.ts'
import styles from './ContractForm.module.css'
import { isRequired } from './rules.ts'
import type { ContractFormState } from './use-contract-form.ts'

interface FieldOptions<Value> {
  readonly label: string
  /** Shown under the field unless there is an error. */
  readonly hint?: string | undefined
  readonly show?: (value: Value) => string
  /** Whether the field takes both columns of its section. */
  readonly wide?: boolean
}

/** For names and hosts, which browsers must not complete or correct. */
export const plainText = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const

export const inputOrder: ('label' | 'input' | 'description' | 'error')[] = [
  'label',
  'input',
  'description',
  'error',
]

const joinClasses = (base: string | undefined, { wide = false }: { readonly wide?: boolean }) =>
  wide ? `${base} ${styles.wide}` : base

/** Functions that return the props of a form's inputs. */
export function createFields<Values extends object>(
  schema: z.ZodObject,
  state: ContractFormState<Values>,
  t: TFunction,
) {
  const { form, conflicts } = state
  type Name = keyof Values & string

  function input<N extends Name>(name: N, options: FieldOptions<Values[N]>, type: 'input' | 'checkbox') {
    const { error, onChange, ...inputProps } = form.getInputProps(name, { type })
    const mine = conflicts[name]
    const hint = error ? undefined : options.hint
    return {
      ...inputProps,
      label: options.label,
      // The schema's errors are codes; the server's are translated already.
      error: typeof error === 'string' ? issueText(error) : error,
      description:
        mine === undefined ? (
          hint
        ) : (
          <>
            {hint}{' '}
            <span className={styles.displaced}>
              <span className={styles.mine}>
                {t('form.yours', { text: (options.show?.(mine) ?? String(mine)) || '–' })}
              </span>{' '}
              <Anchor component="button" type="button" inherit onClick={() => state.restoreMine(name)}>
                {t('form.useMine')}
              </Anchor>
            </span>
          </>
        ),
      onChange: (value: unknown) => {
        onChange(value)
        state.onChange(name)
      },
      onBlur: () => state.onBlur(name),
    }
  }

  return {
    values: form.values,
    /** For texts, selects and groups of checkboxes. */
    field: <N extends Name>(name: N, options: FieldOptions<Values[N]>) => ({
      ...input(name, options, 'input'),
      required: isRequired(schema, name),
      inputWrapperOrder: inputOrder,
      className: joinClasses(styles.field, options),
    }),
    /** For one checkbox or switch. */
    toggle: <N extends Name>(name: N, options: FieldOptions<Values[N]>) => ({
      ...input(name, options, 'checkbox'),
      className: joinClasses(styles.toggle, options),
    }),
  }
}

export type FormFields<Values extends object> = ReturnType<typeof createFields<Values>>
