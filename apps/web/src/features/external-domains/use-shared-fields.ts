import { newExternalDomain } from '@kustos/contract/external-domains'
import { useState } from 'react'
import { issueText } from '../../platform/message-text.ts'
import { errorsIn } from '../../ui/contract-form/rules.ts'
import type { SharedFields } from './use-adding.ts'

const schema = newExternalDomain.pick({ customer: true, domainprovider: true })
type Name = keyof SharedFields
type Errors = Readonly<Partial<Record<Name, string>>>

function validate(values: SharedFields): Errors {
  const errors: Partial<Record<Name, string>> = {}
  for (const [name, message] of Object.entries(errorsIn(schema, values)))
    if (name === 'customer' || name === 'domainprovider') errors[name] = issueText(String(message))
  return errors
}

/** Customer and domain provider. A field is validated once it was left. */
export function useSharedFields(start: SharedFields | undefined) {
  const [values, setValues] = useState<SharedFields>({
    customer: start?.customer ?? '',
    domainprovider: start?.domainprovider ?? '',
  })
  const [left, setLeft] = useState<readonly Name[]>([])
  const all = validate(values)
  const errors: Errors = {
    ...(left.includes('customer') && { customer: all.customer }),
    ...(left.includes('domainprovider') && { domainprovider: all.domainprovider }),
  }

  return {
    values,
    errors,
    /** Validates and shows all errors. @returns null if invalid */
    check(): SharedFields | null {
      setLeft(['customer', 'domainprovider'])
      const parsed = schema.safeParse(values)
      return parsed.success ? parsed.data : null
    },
    field: (name: Name) => ({
      'data-path': name,
      value: values[name],
      error: errors[name],
      required: true,
      inputWrapperOrder: ['label', 'input', 'description', 'error'] as (
        | 'label'
        | 'input'
        | 'description'
        | 'error'
      )[],
      autoComplete: 'off',
      onChange: ({ currentTarget }: { currentTarget: { value: string } }) => {
        const { value } = currentTarget
        setValues((before) => ({ ...before, [name]: value }))
      },
      onBlur: () => setLeft((before) => [...before, name]),
    }),
  }
}
