import { asciiFqdn } from '@kustos/contract/webs'
import { IconListSearch, IconWorld } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import { recentWebs } from '../recent-webs.ts'
import { useUser } from '../session.ts'
import { type Destination, destinationsFor, isAction } from './destinations.ts'
import { type EntryGroup, iconOf, type PaletteEntry } from './entry.tsx'
import { type Findable, type Found, search } from './search.ts'
import { useCommands } from './use-commands.tsx'
import type { PaletteWeb, WebSource } from './use-webs.ts'

/** So many of a group are shown; whoever looks for others writes more. */
const most = 20

interface Input {
  readonly query: string
  readonly source: WebSource
  readonly onWeb: (web: PaletteWeb) => void
  /** Closes the palette, then does it. */
  readonly run: (work: () => void) => void
}

const worst = 5

/** What the palette shows for a query: the group with the best hit first. Without a query, what may be wanted. */
export function useFound({ query, source, onWeb, run }: Input): readonly EntryGroup[] {
  const { t, i18n } = useTranslation()
  const user = useUser()
  const navigate = useNavigate()
  const commands = useCommands(run)
  const destinations = useMemo(() => destinationsFor(user), [user])
  const { webs, listPath } = source
  const found = useMemo(() => {
    const ascii = asciiFqdn(query.trim())
    return search(webs?.list ?? [], query, most, ascii === null ? [] : [ascii])
  }, [webs, query])

  const goTo = (path: string) => run(() => void navigate(path))
  const ofWeb = (web: PaletteWeb): PaletteEntry => ({
    key: `web ${web.id}`,
    label: web.fqdn,
    hint: [web.customer, web.node].filter((text) => text !== null && text !== '').join(' · '),
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
    ...commands,
  ]
  const label = (key: 'recent' | 'webs' | 'screens' | 'actions') => t(`palette.groups.${key}`)

  if (query.trim() === '') {
    const recent = (user === null ? [] : recentWebs(user.id))
      .map((id) => webs?.byId.get(id))
      .filter((web) => web !== undefined)
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
    const formatted = count.toLocaleString(i18n.language)
    const note = count > shown ? t('palette.some', { shown, formatted }) : undefined
    return { key, label: label(key), entries: things.map(entryOf), note, best: best ?? worst }
  }
  const groups = [
    groupOf('webs', found, ofWeb),
    groupOf('screens', search(screens, query, most), ofDestination),
    groupOf('actions', search(doable, query, most), (entry) => entry),
  ].filter(({ entries }) => entries.length > 0)
  if (groups.length > 0) return groups.toSorted((a, b) => a.best - b.best)

  // The list's own search looks into every column.
  if (listPath === null || webs === undefined) return []
  const wanted = query.trim()
  const further: PaletteEntry = {
    key: 'further',
    label: t(listPath === '/hosting' ? 'palette.inWebs' : 'palette.inMonitoring', { query: wanted }),
    icon: iconOf(IconListSearch),
    choose: () => goTo(`${listPath}?${new URLSearchParams({ q: wanted })}`),
  }
  return [{ key: 'further', label: t('palette.nothing', { query: wanted }), entries: [further] }]
}
