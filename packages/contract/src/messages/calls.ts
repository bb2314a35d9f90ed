import { kindMessages } from './deployment.ts'
import { inputMessages } from './input.ts'
import { refusalMessages } from './refusals.ts'
import { signInMessages } from './sign-in.ts'

/** The messages of API responses. */
export const callMessages = {
  ...signInMessages,
  ...inputMessages,
  ...refusalMessages,
  ...kindMessages,
} as const
