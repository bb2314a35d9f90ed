import type { Customer } from '@kustos/contract/customers'
import { asciiFqdn } from '@kustos/contract/webs'
import { IconBuilding, IconListSearch, IconWorld } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import { customerPath } from '../../entities/customer/paths.ts'
import { useUser } from '../../platform/session.ts'
import { recentWebs } from '../recent-webs.ts'
import type { ScreenOfGroup } from '../screens.ts'
import { destinationsFor, isAction, keywordsOf } from './destinations.ts'
import type { EntryGroup, PaletteEntry, RunAfterClose } from './entry.ts'
import { filteredListsFor } from './filtered-lists.ts'
import { foundGroups, type RankedGroup } from './found-groups.ts'
import {
  createSearchItem,
  explainMatch,
  type SearchItem,
  type SearchResult,
  search,
  splitQuery,
} from './search.ts'
import { searchEntries } from './use-actions-of.ts'
import { useCustomers } from './use-customers.ts'
import type { FoundOnServer } from './use-found.ts'
import { useGeneralActions } from './use-general-actions.ts'
import type { PaletteWeb, PaletteWebs, WebSource } from './use-webs.ts'

/** How many entries of a group are shown; more text narrows them down. */
const maxShown = 20

interface Input {
  readonly query: string
  readonly source: WebSource
  readonly found: FoundOnServer
  readonly onWeb: (web: PaletteWeb) => void
  /** The key of the action that a web is being chosen for; null before one is. */
  readonly action: string | null
  readonly onAction: (action: PaletteEntry) => void
  readonly actionsOf: (web: PaletteWeb) => readonly PaletteEntry[]
  readonly run: RunAfterClose
}

/** The entries for a query, beginning with the group of the best match. Without a query, those that are likely wanted. */
export function useSearchResults(input: Input): readonly EntryGroup[] {
  const { source, found, action, onWeb, onAction, actionsOf, run } = input
  const { t } = useTranslation()
  const user = useUser()
  const navigate = useNavigate()
  const generalActions = useGeneralActions(run)
  const destinations = useMemo(() => destinationsFor(user), [user])
  const filteredLists = useMemo(() => filteredListsFor(user, new Date()), [user])
  const { webs, listPath } = source
  const customers = useCustomers()
  const query = input.query.trim()
  const spellings = useMemo(() => {
    const ascii = asciiFqdn(query)
    return ascii === null ? [] : [ascii]
  }, [query])
  const foundWebs = useMemo(
    () => search(webs?.list ?? [], query, maxShown, spellings),
    [webs, query, spellings],
  )

  const goTo = (path: string) => run(() => void navigate(path))
  const hintOf = ({ id, fqdn, customer, node }: PaletteWeb): string => {
    const shown = [String(id), fqdn, customer, node ?? '']
    const name = explainMatch(shown, webs?.hosts.get(id) ?? [], query, spellings)
    return [name && t('palette.also', { name }), customer, node].filter(Boolean).join(' · ')
  }
  const ofWeb = (web: PaletteWeb): PaletteEntry => ({
    key: `web ${web.id}`,
    label: web.fqdn,
    hint: hintOf(web),
    icon: IconWorld,
    mono: true,
    onSelect: () => onWeb(web),
  })
  const ofCustomer = ({ code, name }: Customer): PaletteEntry => ({
    key: `customer ${code}`,
    label: code,
    hint: name ?? undefined,
    icon: IconBuilding,
    onSelect: () => goTo(customerPath(code)),
  })
  const ofDestination = ({ screen: { name, path, icon }, group }: ScreenOfGroup): PaletteEntry => ({
    key: name,
    label: t(isAction(name) ? `palette.names.${name}` : `screens.${name}.title`),
    hint: group && t(`screens.${group.name}.title`),
    icon,
    onSelect: () => goTo(path),
  })

  const screens = destinations.filter(({ item }) => !isAction(item.screen.name))
  const screenEntries = screens.map((entry) => ({ ...entry, item: ofDestination(entry.item) }))
  const listEntries = filteredLists.map((entry) => {
    const { name, path, icon } = entry.item
    const shown: PaletteEntry = {
      key: name,
      label: t(`palette.lists.${name}`),
      icon,
      onSelect: () => goTo(path),
    }
    return { ...entry, item: shown }
  })
  const actions: readonly SearchItem<PaletteEntry>[] = [
    ...destinations
      .filter(({ item }) => isAction(item.screen.name))
      .map((entry) => ({ ...entry, item: ofDestination(entry.item) })),
    ...generalActions,
  ]
  const toGroup = (
    key: 'recent' | 'webs' | 'customers' | 'screens' | 'actions',
    entries: readonly PaletteEntry[],
  ): EntryGroup => ({ key, label: t(`palette.groups.${key}`), entries })

  if (query === '') {
    const recent = (user === null ? [] : recentWebs(user.id)).flatMap((id) => webs?.byId.get(id) ?? [])
    const first = (webs?.list ?? []).slice(0, maxShown).map(({ item }) => item)
    const groups =
      action === null
        ? [
            toGroup('recent', recent.map(ofWeb)),
            toGroup(
              'screens',
              screens.map(({ item }) => ofDestination(item)),
            ),
            toGroup(
              'actions',
              actions.map(({ item }) => item),
            ),
          ]
        : [toGroup('webs', [...new Set([...recent, ...first])].map(ofWeb))]
    return groups.filter(({ entries }) => entries.length > 0)
  }

  function toRankedGroup<Item>(
    key: 'webs' | 'customers' | 'screens' | 'actions',
    { items, count, best }: SearchResult<Item>,
    entryOf: (item: Item) => PaletteEntry,
  ): readonly RankedGroup[] {
    const shown = items.length
    const note = count > shown ? t('palette.some', { shown, count }) : undefined
    return best === null ? [] : [{ ...toGroup(key, items.map(entryOf)), note, best }]
  }
  const actionsOnWebs = actionsOnActiveWebs(webs, actionsOf).map((entry) => {
    const label = t('palette.action', { action: entry.label })
    const shown: PaletteEntry = {
      ...entry,
      key: `action ${entry.key}`,
      label,
      onSelect: () => onAction(entry),
    }
    return createSearchItem(shown, [entry.label], keywordsOf(entry.key))
  })
  const groups = [...toRankedGroup('webs', foundWebs, ofWeb)]
  if (action === null)
    groups.push(
      ...toRankedGroup('customers', search(customers, query, maxShown), ofCustomer),
      ...toRankedGroup(
        'screens',
        search([...screenEntries, ...listEntries], query, maxShown),
        (entry) => entry,
      ),
      ...toRankedGroup('actions', search([...actions, ...actionsOnWebs], query, maxShown), (entry) => entry),
    )
  const named = groups.length === 0 && action === null ? actionsInQuery(query, webs, actionsOf) : []
  if (named.length > 0) groups.push({ ...toGroup('actions', named), best: 0 })
  groups.push(...foundGroups(found.entries, query, t, goTo))
  if (groups.length > 0) return groups.toSorted((a, b) => a.best - b.best)

  if (found.isSearching) return []
  // The list's own search looks into every column.
  if (listPath === null || webs === undefined) return []
  const screen = t(`screens.${listPath === '/hosting' ? 'hosting-web-list' : 'monitoring-webs'}.title`)
  const searchInList: PaletteEntry = {
    key: 'further',
    label: t('palette.inScreen', { screen, query }),
    icon: IconListSearch,
    onSelect: () => goTo(`${listPath}?${new URLSearchParams({ q: query })}`),
  }
  return [
    { key: 'further', label: t('palette.nothing', { query }), entries: [searchInList], isFallback: true },
  ]
}

/** The actions that apply to active webs, for a web that is chosen after them. */
function actionsOnActiveWebs(webs: PaletteWebs | undefined, actionsOf: Input['actionsOf']) {
  const active = webs?.list.find(({ item }) => item.deleted_at === null)
  // A web’s name alone leads to its page.
  return active === undefined ? [] : actionsOf(active.item).filter(({ key }) => key !== 'show')
}

/** Maximum number of webs in the results of a query such as "seehof edit". */
const maxWebsWithAction = 5

function actionsInQuery(
  query: string,
  webs: PaletteWebs | undefined,
  actionsOf: Input['actionsOf'],
): readonly PaletteEntry[] {
  for (const { web: name, action } of splitQuery(query)) {
    const entries = search(webs?.list ?? [], name, maxWebsWithAction).items.flatMap((web) =>
      searchEntries(actionsOf(web), action).map((entry) => ({
        ...entry,
        key: `${entry.key} ${web.id}`,
        hint: web.fqdn,
      })),
    )
    if (entries.length > 0) return entries
  }
  return []
}
