import { login } from '@kustos/contract/auth'
import { type ChangeEvent, useEffect, useState } from 'react'
import { sentence } from '../../app/sentences.ts'

type Field = 'email' | 'password'

/** How long somebody may think while typing before the field says what is wrong. */
const typingPause = 800

/** The login form's values, and its messages once a field was left or its typing has come to rest. */
export function useLoginForm() {
  const [values, setValues] = useState({ email: '', password: '', remember: false })
  const [judged, setJudged] = useState<readonly Field[]>([])
  const [typing, setTyping] = useState<Field>()
  const judge = (field: Field) => setJudged((fields) => [...new Set([...fields, field])])

  // biome-ignore lint/correctness/useExhaustiveDependencies: every keystroke starts the pause anew
  useEffect(() => {
    if (typing === undefined) return
    const timer = setTimeout(() => judge(typing), typingPause)
    return () => clearTimeout(timer)
  }, [typing, values])

  const checked = login.safeParse(values)
  const issues = checked.success ? [] : checked.error.issues
  const message = (field: Field) => issues.find((issue) => issue.path[0] === field)?.message

  const field = (name: Field) => {
    const wrong = judged.includes(name) ? message(name) : undefined
    return {
      value: values[name],
      error: wrong === undefined ? undefined : sentence(wrong),
      onBlur: () => judge(name),
      onChange: (event: ChangeEvent<HTMLInputElement>) => {
        setValues({ ...values, [name]: event.currentTarget.value })
        setTyping(name)
      },
    }
  }

  return {
    values,
    valid: checked.success,
    field,
    setRemember: (remember: boolean) => setValues({ ...values, remember }),
  }
}
