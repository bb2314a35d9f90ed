import type { Node } from '@kustos/contract/webs'
import { useNavigate } from 'react-router-dom'
import { useWebActions } from '../../entities/web/actions/use-web-actions.tsx'
import { keywordsOf } from './destinations.ts'
import type { EntryGroup, PaletteEntry, RunAfterClose } from './entry.ts'
import { createSearchItem, search } from './search.ts'
import type { PaletteWeb } from './use-webs.ts'

export function useActionsOf(
  nodes: readonly Node[] | undefined,
  run: RunAfterClose,
): (web: PaletteWeb) => readonly PaletteEntry[] {
  const navigate = useNavigate()
  const { actionsOf } = useWebActions('palette', nodes)
  return (web) =>
    actionsOf(web).map((action) => ({
      key: action.key,
      label: action.label,
      icon: action.icon,
      danger: action.danger === true,
      onSelect: () => run('to' in action ? () => void navigate(action.to) : action.run),
    }))
}

export function searchEntries(entries: readonly PaletteEntry[], query: string): readonly PaletteEntry[] {
  const all = entries.map((entry) => createSearchItem(entry, [entry.label], keywordsOf(entry.key)))
  return search(all, query, all.length).items
}

/** The actions of a web that was chosen, found by their names. */
export function actionGroup(web: PaletteWeb, entries: readonly PaletteEntry[], query: string): EntryGroup[] {
  const shown = query.trim() === '' ? entries : searchEntries(entries, query)
  if (shown.length === 0) return []
  const note = [web.customer, web.node].filter(Boolean).join(' · ')
  return [{ key: `web ${web.id}`, label: web.fqdn, note, entries: shown }]
}
