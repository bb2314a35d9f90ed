import { asciiFqdn } from '@kustos/contract/webs'
import { IconListSearch, IconWorld } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import { recentWebs } from '../recent-webs.ts'
import { useUser } from '../session.ts'
import { type Destination, destinationsFor, isAction } from './destinations.ts'
import { type EntryGroup, iconOf, type PaletteEntry } from './entry.tsx'
import { type Findable, type Found, findable, foundBy, search, splits } from './search.ts'
import { useCommands } from './use-commands.tsx'
import { useDeeds } from './use-web-steps.tsx'
import type { PaletteWeb, PaletteWebs, WebSource } from './use-webs.ts'

/** So many of a group are shown; whoever looks for others writes more. */
const most = 20

interface Input {
  readonly query: string
  readonly source: WebSource
  readonly onWeb: (web: PaletteWeb) => void
  /** Of which a web is to be chosen; null where all that is found is wanted. */
  readonly deed: string | null
  readonly onDeed: (deed: PaletteEntry) => void
  readonly stepsOf: (web: PaletteWeb) => readonly PaletteEntry[]
  /** Closes the palette, then does it. */
  readonly run: (work: () => void) => void
}

const worst = 5

/** What the palette shows for a query: the group with the best hit first. Without a query, what may be wanted. */
export function useFound({ query, source, deed, onWeb, onDeed, stepsOf, run }: Input): readonly EntryGroup[] {
  const { t, i18n } = useTranslation()
  const user = useUser()
  const navigate = useNavigate()
  const commands = useCommands(run)
  const destinations = useMemo(() => destinationsFor(user), [user])
  const { webs, listPath } = source
  const otherwise = useMemo(() => {
    const ascii = asciiFqdn(query.trim())
    return ascii === null ? [] : [ascii]
  }, [query])
  const found = useMemo(() => search(webs?.list ?? [], query, most, otherwise), [webs, query, otherwise])

  const deeds = useDeeds(webs, stepsOf)
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
    ...commands,
  ]
  const ofWebs = deeds.map((one) => {
    const label = t('palette.deed', { deed: one.label })
    return findable({ ...one, key: `deed ${one.key}`, label, choose: () => onDeed(one) }, [one.label], [])
  })
  const label = (key: 'recent' | 'webs' | 'screens' | 'actions') => t(`palette.groups.${key}`)

  if (query.trim() === '') {
    const recent = (user === null ? [] : recentWebs(user.id))
      .map((id) => webs?.byId.get(id))
      .filter((web) => web !== undefined)
    const first = (webs?.list ?? []).slice(0, most).map(({ thing }) => thing)
    if (deed !== null) {
      const offered = [...new Set([...recent, ...first])].map(ofWeb)
      return offered.length === 0 ? [] : [{ key: 'webs', label: label('webs'), entries: offered }]
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
    const formatted = count.toLocaleString(i18n.language)
    const note = count > shown ? t('palette.some', { shown, formatted }) : undefined
    return { key, label: label(key), entries: things.map(entryOf), note, best: best ?? worst }
  }
  const groups = [
    groupOf('webs', found, ofWeb),
    ...(deed === null
      ? [
          groupOf('screens', search(screens, query, most), ofDestination),
          groupOf('actions', search([...doable, ...ofWebs], query, most), (entry) => entry),
        ]
      : []),
  ].filter(({ entries }) => entries.length > 0)
  if (groups.length > 0) return groups.toSorted((a, b) => a.best - b.best)

  const named = deed === null ? deedOfWeb(query, webs, stepsOf) : []
  if (named.length > 0) return [{ key: 'named', label: label('actions'), entries: named }]

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

/** What to do and with which web, in one breath; of so many webs. */
const fewWebs = 5

function deedOfWeb(
  query: string,
  webs: PaletteWebs | undefined,
  stepsOf: (web: PaletteWeb) => readonly PaletteEntry[],
): readonly PaletteEntry[] {
  for (const { web: name, deed } of splits(query)) {
    const entries = search(webs?.list ?? [], name, fewWebs).things.flatMap((web) => {
      const steps = stepsOf(web).map((step) => findable(step, [step.label], []))
      return search(steps, deed, steps.length).things.map((step) => ({
        ...step,
        key: `${step.key} ${web.id}`,
        hint: web.fqdn,
      }))
    })
    if (entries.length > 0) return entries
  }
  return []
}
