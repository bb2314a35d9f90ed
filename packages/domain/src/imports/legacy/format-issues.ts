import { issueText } from '@kustos/contract/messages/english'
import type { z } from 'zod'

/** Why a row is not imported, in a sentence. @param name of the row */
export const formatIssues = (name: string, { issues }: z.ZodError): string =>
  `${name || 'A row without a name'}: ${issues
    .map(({ path, message }) => `${path.join('.') || 'row'}: ${issueText(message)}`)
    .join('; ')}.`
