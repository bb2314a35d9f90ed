import { onSession, sessionEnded } from './session.ts'

export interface Draft {
  /** The values that the form started with. */
  readonly base: object
  readonly mine: object
  /** Input that another user's change has replaced, until the user keeps one of the two; by field. */
  readonly displaced?: object
}

/** In memory only: a draft may hold a password, and a sign-in does not reload the page. */
const drafts = new Map<string, Draft>()

/** Functions that read the unsaved input of the open forms; null if there is none. */
const openForms = new Map<string, () => Draft | null>()

onSession(() => {
  if (sessionEnded()) saveDraftsBeforeRedirect()
})

/** Keeps the unsaved input of the open forms. @returns whether there was any */
export function saveDraftsBeforeRedirect(): boolean {
  let hasSaved = false
  for (const [key, unsaved] of openForms) {
    const draft = unsaved()
    if (draft === null) continue
    storeDraft(key, draft)
    hasSaved = true
  }
  return hasSaved
}

export function storeDraft(key: string, draft: Draft) {
  drafts.set(key, draft)
}

/** @param shape has the current fields of the form */
export function readDraft<Values extends object>(key: string, shape: Values) {
  const draft = drafts.get(key)
  return (
    draft && {
      base: { ...shape, ...draft.base },
      mine: { ...shape, ...draft.mine },
      displaced: { ...draft.displaced } as Partial<Values>,
    }
  )
}

/** Registers a form that has restored its draft. @returns a function that unregisters it */
export function registerForm(key: string, unsaved: () => Draft | null): () => void {
  drafts.delete(key)
  openForms.set(key, unsaved)
  return () => openForms.delete(key)
}
