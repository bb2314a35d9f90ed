import type { Node } from '@kustos/contract/webs'
import { useNavigate } from 'react-router-dom'
import { useWebActions } from '../../entities/web/actions/use-web-actions.tsx'
import type { EntryGroup, PaletteEntry, RunAfterClose } from './entry.tsx'
import { findable, search } from './search.ts'
import type { PaletteWeb, PaletteWebs } from './use-webs.ts'

export function useActionsOf(
  nodes: readonly Node[] | undefined,
  run: RunAfterClose,
): (web: PaletteWeb) => readonly PaletteEntry[] {
  const navigate = useNavigate()
  const { actionsOf } = useWebActions('palette', nodes)
  return (web) =>
    actionsOf(web)
      .filter(({ disabled }) => disabled !== true)
      .map((action) => ({
        key: action.key,
        label: action.label,
        icon: action.icon,
        danger: action.danger === true,
        choose: () => run('to' in action ? () => void navigate(action.to) : action.run),
      }))
}

/** The actions of a web that was chosen, found by their names. */
export function actionGroup(web: PaletteWeb, entries: readonly PaletteEntry[], query: string): EntryGroup[] {
  const all = entries.map((entry) => findable(entry, [entry.label], []))
  const shown = query.trim() === '' ? entries : search(all, query, all.length).things
  if (shown.length === 0) return []
  const hint = [web.customer, web.node].filter((text) => text !== null && text !== '').join(' · ')
  return [{ key: `web ${web.id}`, label: web.fqdn, note: hint, entries: shown }]
}

/** The actions that apply to active webs, for a web that is chosen after them. */
export function actionsOnWebs(
  webs: PaletteWebs | undefined,
  actionsOf: (web: PaletteWeb) => readonly PaletteEntry[],
): readonly PaletteEntry[] {
  const active = webs?.list.find(({ thing }) => thing.deleted_at === null)
  // A web’s name alone leads to its page.
  return active === undefined ? [] : actionsOf(active.thing).filter(({ key }) => key !== 'show')
}
