import { newExternalDomain } from '@kustos/contract/external-domains'
import { useState } from 'react'
import { sentence } from '../../app/sentences.ts'
import { errorsIn } from '../../ui/contract-form/rules.ts'
import type { Belonging } from './use-adding.ts'

const schema = newExternalDomain.pick({ customer: true, domainprovider: true })
type Name = keyof Belonging
type Errors = Readonly<Partial<Record<Name, string>>>

function judge(values: Belonging): Errors {
  const errors: Partial<Record<Name, string>> = {}
  for (const [name, message] of Object.entries(errorsIn(schema, values)))
    if (name === 'customer' || name === 'domainprovider') errors[name] = sentence(String(message))
  return errors
}

/** Customer and domain provider, which all lines have in common. A field is judged from when it was left once. */
export function useBelonging(start: Belonging | undefined) {
  const [values, setValues] = useState<Belonging>({
    customer: start?.customer ?? '',
    domainprovider: start?.domainprovider ?? '',
  })
  const [left, setLeft] = useState<readonly Name[]>([])
  const all = judge(values)
  const errors: Errors = {
    ...(left.includes('customer') && { customer: all.customer }),
    ...(left.includes('domainprovider') && { domainprovider: all.domainprovider }),
  }

  return {
    values,
    errors,
    /** What is sent; null where something is wrong, which is shown from then on. */
    check(): Belonging | null {
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
