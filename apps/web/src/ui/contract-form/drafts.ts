/** What a form held when the session ended, or the permission went, under it. */
interface Draft {
  /** The user and the address that it belongs to. */
  readonly owner: string
  /** What the form had been filled with. */
  readonly base: object
  readonly mine: object
}

/** In memory alone: it may hold a password, and a sign-in does not reload the page. */
let draft: Draft | undefined

/** Keeps a form's input over a sign-in; one is enough, since only one form is open at a time. */
export function keepDraft(kept: Draft) {
  draft = kept
}

/** @param shape has the fields that the form has now */
export function draftOf<Values extends object>(owner: string, shape: Values) {
  if (draft?.owner !== owner) return undefined
  const { base, mine } = draft
  // The same address shows the same form, so that these are its fields.
  return { base: { ...shape, ...base }, mine: { ...shape, ...mine } }
}

/** Once it has been taken, or another form was opened. */
export function dropDraft() {
  draft = undefined
}
