import { type ChangeEvent, useEffect, useState } from 'react'
import { issueText } from '../../platform/message-text.ts'
import { loginMistakes } from './login-mistakes.ts'

type Field = 'email' | 'password'

/** Milliseconds without typing after which a field is validated. */
const typingPauseMs = 800

/** The values of the login form, with errors once a field was left or typing has paused. */
export function useLoginForm() {
  const [values, setValues] = useState({ email: '', password: '', remember: false })
  const [validated, setValidated] = useState<readonly Field[]>([])
  const [typing, setTyping] = useState<Field>()
  const validate = (field: Field) => setValidated((fields) => [...new Set([...fields, field])])

  // biome-ignore lint/correctness/useExhaustiveDependencies: every keystroke starts the pause anew
  useEffect(() => {
    if (typing === undefined) return
    const timer = setTimeout(() => validate(typing), typingPauseMs)
    return () => clearTimeout(timer)
  }, [typing, values])

  const mistakes: Partial<Record<Field, string>> = loginMistakes(values)

  const field = (name: Field) => {
    const wrong = validated.includes(name) ? mistakes[name] : undefined
    return {
      value: values[name],
      error: wrong === undefined ? undefined : issueText(wrong),
      onBlur: () => validate(name),
      onChange: (event: ChangeEvent<HTMLInputElement>) => {
        setValues({ ...values, [name]: event.currentTarget.value })
        setTyping(name)
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
