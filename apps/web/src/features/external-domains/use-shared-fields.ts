import { newExternalDomain } from '@kustos/contract/external-domains'
import { useState } from 'react'
import { issueText } from '../../platform/message-text.ts'
import { inputOrder } from '../../ui/contract-form/fields.tsx'
import { errorsIn } from '../../ui/contract-form/rules.ts'
import type { SharedFields } from './use-add-domains.ts'

const names = ['customer', 'domainprovider'] as const
type Name = (typeof names)[number]
const schema = newExternalDomain.pick({ customer: true, domainprovider: true })

/** Customer and domain provider. A field is validated once it has lost focus. */
export function useSharedFields({ customer, domainprovider }: SharedFields) {
  const [values, setValues] = useState<SharedFields>({ customer, domainprovider })
  const [touched, setTouched] = useState<readonly Name[]>([])
  const errors = errorsIn(schema, values)

  return {
    values,
    /** Validates and shows all errors. @returns null if invalid */
    check(): SharedFields | null {
      setTouched(names)
      return schema.safeParse(values).data ?? null
    },
    field: (name: Name) => ({
      'data-path': name,
      value: values[name],
      error: touched.includes(name) && errors[name] ? issueText(String(errors[name])) : undefined,
      required: true,
      inputWrapperOrder: inputOrder,
      onChange: (value: string) => setValues((previous) => ({ ...previous, [name]: value })),
      onBlur: () => setTouched((previous) => [...previous, name]),
    }),
  }
}
