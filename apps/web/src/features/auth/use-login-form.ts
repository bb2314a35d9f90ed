import { useDebouncedCallback } from '@mantine/hooks'
import { type ChangeEvent, useState } from 'react'
import { issueText } from '../../platform/message-text.ts'
import { loginMistakes } from './login-mistakes.ts'

type Field = 'email' | 'password'

const typingPauseMs = 800

/** The values of the login form, with errors once a field was left or typing has paused. */
export function useLoginForm() {
  const [values, setValues] = useState({ email: '', password: '', remember: false })
  const [validated, setValidated] = useState<readonly Field[]>([])
  const validate = (field: Field) => setValidated((fields) => [...new Set([...fields, field])])

  const validateLater = useDebouncedCallback(validate, typingPauseMs)

  const mistakes: Partial<Record<Field, string>> = loginMistakes(values)

  const field = (name: Field) => {
    const wrong = validated.includes(name) ? mistakes[name] : undefined
    return {
      value: values[name],
      error: wrong === undefined ? undefined : issueText(wrong),
      onBlur: () => validate(name),
      onChange: (event: ChangeEvent<HTMLInputElement>) => {
        setValues({ ...values, [name]: event.currentTarget.value })
        validateLater(name)
      },
    }
  }

  return {
    values,
    isValid: Object.keys(mistakes).length === 0,
    field,
    setRemember: (remember: boolean) => setValues({ ...values, remember }),
  }
}
