import { useEffect, useEffectEvent } from 'react'
import { onPutOut } from '../../app/putting-out.ts'
import { onSession, sessionEnded } from '../../app/session.ts'
import { keepDraft } from './drafts.ts'

interface Unsaved {
  readonly base: object
  readonly mine: object
}

/**
 * Keeps what is not saved when the session ends, or a permission is taken away, under it and the screen goes.
 * @param unsaved asked at that moment; null where there is nothing to keep
 */
export function useKeptDraft(owner: string, unsaved: () => Unsaved | null) {
  const keep = useEffectEvent(() => {
    const held = unsaved()
    if (held !== null) keepDraft({ owner, ...held })
    return held !== null
  })
  useEffect(
    () =>
      onSession(() => {
        if (sessionEnded()) keep()
      }),
    [],
  )
  useEffect(() => onPutOut(() => keep()), [])
}
