import { z } from 'zod'
import { route } from '../route.ts'
import { timestamp } from '../text.ts'

export const emailChangeRoutes = {
  readEmailChange: route('GET', '/api/emailChange', {
    summary: "The user's own new e-mail that its address has not confirmed yet",
    access: 'signed-in',
    response: z.object({
      data: z.object({ email: z.string(), expires_at: timestamp }).meta({ id: 'EmailChange' }).nullable(),
    }),
  }),
  confirmEmailChange: route('POST', '/api/emailChange/confirm', {
    summary: 'Uses the new e-mail from now on. `token` is from the link that was sent there.',
    access: 'signed-in',
    body: z.object({ token: z.string().max(100) }),
  }),
  cancelEmailChange: route('DELETE', '/api/emailChange', {
    summary: 'Keeps the current e-mail',
    access: 'signed-in',
  }),
} as const
