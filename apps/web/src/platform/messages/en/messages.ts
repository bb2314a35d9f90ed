import { callMessages } from '@kustos/contract/messages/calls'
import { initial } from './initial.ts'

/** What the server refuses, and why. The list of webs shows its English sentences, so it does without these. */
export const messages = { ...initial.messages, ...callMessages } as const
