import { asciiFqdn } from '@kustos/contract/webs'
import { IconListSearch, IconWorld } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import { useUser } from '../../platform/session.ts'
import { recentWebs } from '../recent-webs.ts'
import { type Destination, destinationsFor, isAction } from './destinations.ts'
import { type EntryGroup, iconOf, type PaletteEntry, type RunAfterClose } from './entry.tsx'
import { type Findable, type Found, findable, foundBy, search, splits } from './search.ts'
import { actionsOnWebs } from './use-actions-of.tsx'
import { useGeneralActions } from './use-general-actions.tsx'
import type { PaletteWeb, PaletteWebs, WebSource } from './use-webs.ts'

/** How many of a group are shown; more text narrows them down. */
const most = 20

interface Input {
  readonly query: string
  readonly source: WebSource
  readonly onWeb: (web: PaletteWeb) => void
  /** The key of the action that a web is being chosen for; null before one is. */
  readonly action: string | null
  readonly onAction: (action: PaletteEntry) => void
  readonly actionsOf: (web: PaletteWeb) => readonly PaletteEntry[]
  readonly run: RunAfterClose
}

const worst = 5

/** What the palette shows for a query: the group with the best hit first. Without a query, what may be wanted. */
export function useFound(input: Input): readonly EntryGroup[] {
  const { query, source, action, onWeb, onAction, actionsOf, run } = input
  const { t } = useTranslation()
  const user = useUser()
  const navigate = useNavigate()
  const generalActions = useGeneralActions(run)
  const destinations = useMemo(() => destinationsFor(user), [user])
  const { webs, listPath } = source
  const otherwise = useMemo(() => {
    const ascii = asciiFqdn(query.trim())
    return ascii === null ? [] : [ascii]
  }, [query])
  const found = useMemo(() => search(webs?.list ?? [], query, most, otherwise), [webs, query, otherwise])

  const goTo = (path: string) => run(() => void navigate(path))
  const hintOf = (web: PaletteWeb): string => {
    const { id, fqdn, customer, node } = web
    const shown = [String(id), fqdn, customer, node ?? '']
    const other = foundBy(shown, webs?.hosts.get(id) ?? [], query, otherwise)
    const also = other === undefined ? '' : t('palette.also', { name: other })
    return [also, customer, node].filter((text) => text !== null && text !== '').join(' · ')
  }
  const ofWeb = (web: PaletteWeb): PaletteEntry => ({
    key: `web ${web.id}`,
    label: web.fqdn,
    hint: hintOf(web),
    icon: iconOf(IconWorld),
    mono: true,
    choose: () => onWeb(web),
  })
  const ofDestination = ({ screen: { name, path, icon }, group }: Destination): PaletteEntry => ({
    key: name,
    label: t(isAction(name) ? `palette.names.${name}` : `screens.${name}.title`),
    hint: group === undefined ? undefined : t(`screens.${group.name}.title`),
    icon: iconOf(icon),
    choose: () => goTo(path),
  })

  const actions = destinations.filter(({ thing }) => isAction(thing.screen.name))
  const screens = destinations.filter(({ thing }) => !isAction(thing.screen.name))
  const doable: readonly Findable<PaletteEntry>[] = [
    ...actions.map((entry) => ({ ...entry, thing: ofDestination(entry.thing) })),
    ...generalActions,
  ]
  const ofWebs = actionsOnWebs(webs, actionsOf).map((one) => {
    const label = t('palette.action', { action: one.label })
    return findable({ ...one, key: `action ${one.key}`, label, choose: () => onAction(one) }, [one.label], [])
  })
  const label = (key: 'recent' | 'webs' | 'screens' | 'actions') => t(`palette.groups.${key}`)

  if (query.trim() === '') {
    const recent = (user === null ? [] : recentWebs(user.id))
      .map((id) => webs?.byId.get(id))
      .filter((web) => web !== undefined)
    const first = (webs?.list ?? []).slice(0, most).map(({ thing }) => thing)
    if (action !== null) {
      const chosen = [...new Set([...recent, ...first])].map(ofWeb)
      return chosen.length === 0 ? [] : [{ key: 'webs', label: label('webs'), entries: chosen }]
    }
    const groups: readonly EntryGroup[] = [
      { key: 'recent', label: label('recent'), entries: recent.map(ofWeb) },
      { key: 'screens', label: label('screens'), entries: screens.map(({ thing }) => ofDestination(thing)) },
      { key: 'actions', label: label('actions'), entries: doable.map(({ thing }) => thing) },
    ]
    return groups.filter(({ entries }) => entries.length > 0)
  }

  function groupOf<Thing>(
    key: 'webs' | 'screens' | 'actions',
    { things, count, best }: Found<Thing>,
    entryOf: (thing: Thing) => PaletteEntry,
  ) {
    const shown = things.length
    const note = count > shown ? t('palette.some', { shown, count }) : undefined
    return { key, label: label(key), entries: things.map(entryOf), note, best: best ?? worst }
  }
  const groups = [
    groupOf('webs', found, ofWeb),
    ...(action === null
      ? [
          groupOf('screens', search(screens, query, most), ofDestination),
          groupOf('actions', search([...doable, ...ofWebs], query, most), (entry) => entry),
        ]
      : []),
  ].filter(({ entries }) => entries.length > 0)
  if (groups.length > 0) return groups.toSorted((a, b) => a.best - b.best)

  const named = action === null ? actionsInQuery(query, webs, actionsOf) : []
  if (named.length > 0) return [{ key: 'named', label: label('actions'), entries: named }]

  // The list's own search looks into every column.
  if (listPath === null || webs === undefined) return []
  const wanted = query.trim()
  const further: PaletteEntry = {
    key: 'further',
    label: t('palette.inScreen', {
      screen: t(`screens.${listPath === '/hosting' ? 'hosting-web-list' : 'monitoring-webs'}.title`),
      query: wanted,
    }),
    icon: iconOf(IconListSearch),
    choose: () => goTo(`${listPath}?${new URLSearchParams({ q: wanted })}`),
  }
  return [{ key: 'further', label: t('palette.nothing', { query: wanted }), entries: [further] }]
}

/** Maximum number of webs in the results of a query such as "seehof edit". */
const fewWebs = 5

function actionsInQuery(
  query: string,
  webs: PaletteWebs | undefined,
  actionsOf: (web: PaletteWeb) => readonly PaletteEntry[],
): readonly PaletteEntry[] {
  for (const { web: name, action } of splits(query)) {
    const entries = search(webs?.list ?? [], name, fewWebs).things.flatMap((web) => {
      const all = actionsOf(web).map((entry) => findable(entry, [entry.label], []))
      return search(all, action, all.length).things.map((entry) => ({
        ...entry,
        key: `${entry.key} ${web.id}`,
        hint: web.fqdn,
      }))
    })
    if (entries.length > 0) return entries
  }
  return []
}
