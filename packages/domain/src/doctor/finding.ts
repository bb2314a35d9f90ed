/** The result of one of the doctor's checks, in English sentences for operators. */
export interface Finding {
  readonly subject: string
  readonly state: 'ok' | 'warning' | 'error'
  readonly text: string
  /** What to do about it. */
  readonly advice?: string
}

export const reportOk = (subject: string, text: string): Finding => ({ subject, state: 'ok', text })
export const reportWarning = (subject: string, text: string, advice: string): Finding => ({
  subject,
  state: 'warning',
  text,
  advice,
})
export const reportError = (subject: string, text: string, advice: string): Finding => ({
  subject,
  state: 'error',
  text,
  advice,
})
