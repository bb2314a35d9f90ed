import { compileRegex } from '@kustos/contract/grid'

/** Whether a text has operators of regular expressions, and is a valid one. Dots alone are part of host names. */
export const looksLikeRegex = (text: string): boolean =>
  /[|*+?^$()[\]{}\\]/.test(text) && compileRegex(text) !== null
