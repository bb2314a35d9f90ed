/** What the doctor says of one thing, in English sentences for operators. */
export interface Finding {
  readonly about: string
  readonly state: 'fine' | 'doubtful' | 'wrong'
  readonly text: string
  /** What to do about it. */
  readonly advice?: string
}

export const fine = (about: string, text: string): Finding => ({ about, state: 'fine', text })
export const doubtful = (about: string, text: string, advice: string): Finding => ({
  about,
  state: 'doubtful',
  text,
  advice,
})
export const wrong = (about: string, text: string, advice: string): Finding => ({
  about,
  state: 'wrong',
  text,
  advice,
})
