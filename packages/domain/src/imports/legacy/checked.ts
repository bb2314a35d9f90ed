import type { z } from 'zod'

/** Why a row is not taken, in a sentence. @param name that it is called */
export const wrongOf = (name: string, { issues }: z.ZodError): string =>
  `${name || 'A row without a name'}: ${issues
    .map(({ path, message }) => `${path.join('.') || 'row'}: ${message}`)
    .join('; ')}.`
