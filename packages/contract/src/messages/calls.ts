import { deploymentMessages } from './deployment.ts'
import { inputMessages } from './input.ts'
import { refusalMessages } from './refusals.ts'
import { signInMessages } from './sign-in.ts'

/** What calls answer, and what deployments wait for and fail at. */
export const callMessages = {
  ...signInMessages,
  ...inputMessages,
  ...refusalMessages,
  ...deploymentMessages,
} as const
