import type { Node } from '@kustos/contract/webs'
import { useMemo } from 'react'
import { useNavigate } from 'react-router-dom'
import { useWebActions } from '../use-web-actions.tsx'
import type { EntryGroup, PaletteEntry } from './entry.tsx'
import { findable, search } from './search.ts'
import type { PaletteWeb, PaletteWebs } from './use-webs.ts'

/** Closes the palette, then does it. */
type Run = (work: () => void) => void

/** What can be done with a web, and where it is shown. */
export function useStepsOf(
  nodes: readonly Node[] | undefined,
  run: Run,
): (web: PaletteWeb) => readonly PaletteEntry[] {
  const navigate = useNavigate()
  const actionsOf = useWebActions(nodes)
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

/** Those of a web that was chosen, found by their names. */
export function stepsGroup(web: PaletteWeb, entries: readonly PaletteEntry[], query: string): EntryGroup[] {
  const all = entries.map((entry) => findable(entry, [entry.label], []))
  const shown = query.trim() === '' ? entries : search(all, query, all.length).things
  if (shown.length === 0) return []
  const hint = [web.customer, web.node].filter((text) => text !== null && text !== '').join(' · ')
  return [{ key: `web ${web.id}`, label: web.fqdn, note: hint, entries: shown }]
}

/** What can be done with webs at all: what one of each node is offered stands for the others on it. */
export function useDeeds(
  webs: PaletteWebs | undefined,
  stepsOf: (web: PaletteWeb) => readonly PaletteEntry[],
): readonly PaletteEntry[] {
  const samples = useMemo(() => {
    const living = (webs?.list ?? []).filter(({ thing }) => thing.deleted_at === null)
    return [...new Map(living.map(({ thing }) => [thing.node, thing])).values()]
  }, [webs])
  const byKey = new Map(samples.flatMap(stepsOf).map((step) => [step.key, step]))
  // Whoever looks for a web finds its page by its name.
  byKey.delete('show')
  return [...byKey.values()]
}
