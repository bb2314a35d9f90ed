import { useEffect, useState } from 'react'
import { useLocation } from 'react-router-dom'
import { useUser } from '../../app/session.ts'
import { draftOf, dropDraft } from '../../ui/contract-form/drafts.ts'

const empty = { text: '', customer: '', domainprovider: '' }
export type Draft = typeof empty

/** What stood on this screen when the session ended under it; `owner` is whose the next draft is. */
export function useDraft(): { readonly draft: Draft | undefined; readonly owner: string } {
  const { pathname } = useLocation()
  const owner = `${useUser()?.id} ${pathname}`
  const [draft] = useState(() => draftOf(owner, empty)?.mine)
  useEffect(dropDraft, [])
  return { draft, owner }
}
