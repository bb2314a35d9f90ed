import type { Node } from '@kustos/contract/webs'
import { useNavigate } from 'react-router-dom'
import { useWebActions } from '../use-web-actions.tsx'
import type { EntryGroup, PaletteEntry } from './entry.tsx'
import { findable, search } from './search.ts'
import type { PaletteWeb } from './use-webs.ts'

interface Input {
  /** Null until one is chosen. */
  readonly web: PaletteWeb | null
  readonly query: string
  readonly nodes: readonly Node[] | undefined
  /** Closes the palette, then does it. */
  readonly run: (work: () => void) => void
}

/** What can be done with a web that was chosen, and where it is shown. */
export function useWebSteps({ web, query, nodes, run }: Input): readonly EntryGroup[] {
  const navigate = useNavigate()
  const actionsOf = useWebActions(nodes)
  if (web === null) return []
  const entries = actionsOf(web)
    .filter(({ disabled }) => disabled !== true)
    .map(
      (action): PaletteEntry => ({
        key: action.key,
        label: action.label,
        icon: action.icon,
        danger: action.danger === true,
        choose: () => run('to' in action ? () => void navigate(action.to) : action.run),
      }),
    )
  const all = entries.map((entry) => findable(entry, [entry.label], []))
  const shown = query.trim() === '' ? entries : search(all, query, all.length).things
  if (shown.length === 0) return []
  const hint = [web.customer, web.node].filter((text) => text !== null && text !== '').join(' · ')
  return [{ key: `web ${web.id}`, label: web.fqdn, note: hint, entries: shown }]
}
