import { batchActions } from '@kustos/contract/batches'
import { deploymentKinds } from '@kustos/contract/deployment'
import { type Found, type FoundKind, foundKinds } from '@kustos/contract/search'
import { listNames, listsWithViews, viewPath } from '@kustos/contract/views'
import {
  type Icon,
  IconListCheck,
  IconMail,
  IconServer2,
  IconStack2,
  IconTableOptions,
  IconUser,
  IconWorldSearch,
} from '@tabler/icons-react'
import type { TFunction } from 'i18next'
import { domainPath, mailboxPath } from '../../entities/domain/paths.ts'
import { nodePath } from '../../entities/node/paths.ts'
import { screens } from '../screens.ts'
import type { EntryGroup, PaletteEntry } from './entry.ts'

interface Presentation {
  readonly icon: Icon
  readonly mono?: boolean
  readonly path: (found: Found) => string
  /** By default those of the server. */
  readonly label?: (found: Found, t: TFunction) => string
  readonly hint?: (found: Found, t: TFunction) => string
  /** What users call it; by default its label. */
  readonly names?: (found: Found) => readonly string[]
}

const presentations: Readonly<Record<FoundKind, Presentation>> = {
  node: {
    icon: IconServer2,
    path: ({ label }) => nodePath(label),
    names: ({ label, hint }) => [label, hint],
  },
  user: {
    icon: IconUser,
    path: ({ id }) => `/admin/user-management/edit/${id}`,
    names: ({ label, hint }) => [label, hint],
  },
  domain: {
    icon: IconWorldSearch,
    mono: true,
    path: ({ label }) => domainPath(label),
  },
  mailbox: { icon: IconMail, mono: true, path: ({ label }) => mailboxPath(label) },
  deployment: {
    icon: IconListCheck,
    mono: true,
    path: ({ id }) => `/queue/${id}`,
    hint: ({ id, hint }, t) => `${actionName(hint, t)} · #${id}`,
    names: ({ id, label }) => [label, `#${id}`],
  },
  batch: {
    icon: IconStack2,
    path: ({ id }) => `/batches/${id}`,
    label: ({ label }, t) => actionName(label, t),
    hint: ({ id, hint }) => `${hint} · #${id}`,
    names: ({ id }) => [`#${id}`],
  },
  view: { icon: IconTableOptions, path: pathOfView, hint: ({ hint }, t) => listName(hint, t) },
}

const actionNames = [...new Set([...deploymentKinds, ...batchActions])]

/** An action that this release does not know keeps its name. */
function actionName(name: string, t: TFunction): string {
  const known = actionNames.find((action) => action === name)
  return known === undefined ? name : t(`actions.${known}.label`)
}

const listOf = (name: string) => listNames.find((list) => list === name)

function pathOfView({ id, hint }: Found): string {
  const list = listOf(hint)
  return list === undefined ? '/' : viewPath({ list, id: Number(id) })
}

function listName(name: string, t: TFunction): string {
  const list = listOf(name)
  const path = list && listsWithViews[list].path
  const screen = screens.find((entry) => entry.screen.path === path)?.screen
  return screen === undefined ? name : t(`screens.${screen.name}.title`)
}

function isExact(found: Found, query: string): boolean {
  const names = presentations[found.kind].names?.(found) ?? [found.label]
  return names.some((name) => name.toLowerCase() === query.toLowerCase())
}

/** Ranks as in `search.ts`; groups without an exact match come after those of the browser. */
const ranks = { exact: 0, last: 5 } as const

export interface RankedGroup extends EntryGroup {
  readonly best: number
}

/** What the server has found, by kind. */
export const foundGroups = (
  found: readonly Found[],
  query: string,
  t: TFunction,
  goTo: (path: string) => void,
): readonly RankedGroup[] =>
  foundKinds.flatMap((kind) => {
    const ofKind = found.filter((entry) => entry.kind === kind)
    if (ofKind.length === 0) return []
    const best = ofKind.some((entry) => isExact(entry, query)) ? ranks.exact : ranks.last
    const entries = ofKind.map((entry) => toEntry(entry, t, goTo))
    return [{ key: `found ${kind}`, label: t(`palette.groups.${kind}`), entries, best }]
  })

function toEntry(found: Found, t: TFunction, goTo: (path: string) => void): PaletteEntry {
  const { icon, mono = false, path, label, hint } = presentations[found.kind]
  return {
    key: `${found.kind} ${found.id}`,
    label: label?.(found, t) ?? found.label,
    hint: hint?.(found, t) ?? found.hint,
    icon,
    mono,
    onSelect: () => goTo(path(found)),
  }
}
