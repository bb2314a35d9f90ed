import { kindMessages } from './deployment.ts'
import { inputMessages } from './input.ts'
import { refusalMessages } from './refusals.ts'
import { signInMessages } from './sign-in.ts'

export const callMessages = {
  ...signInMessages,
  ...inputMessages,
  ...refusalMessages,
  ...kindMessages,
} as const
