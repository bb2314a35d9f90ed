import type { PermissionHolder } from '@kustos/contract/permissions'
import paletteDe from '../../platform/messages/de/palette.json' with { type: 'json' }
import shellDe from '../../platform/messages/de/shell.json' with { type: 'json' }
import { palette as paletteEn } from '../../platform/messages/en/palette.ts'
import { shell as shellEn } from '../../platform/messages/en/shell.ts'
import { redirectFor } from '../access.ts'
import { type ScreenOfGroup, screens } from '../screens.ts'
import { createSearchItem, type SearchItem } from './search.ts'

/** Staff know a screen by the one name or the other, whatever language their screens have. */
const catalogues = [
  { ...shellEn, palette: paletteEn },
  { ...shellDe, palette: paletteDe },
]
type Catalogue = (typeof catalogues)[number]

export type ActionName = keyof typeof paletteEn.names
type KeywordName = keyof typeof paletteEn.keywords

const namesOf = (text: (catalogue: Catalogue) => string): readonly string[] => catalogues.map(text)
const hasKeywords = (name: string): name is KeywordName => name in paletteEn.keywords
/** Other words for a screen or an action, in both languages. */
export const keywordsOf = (name: string): readonly string[] =>
  hasKeywords(name) ? namesOf(({ palette }) => palette.keywords[name]) : []

/** Screens that begin something are listed among the actions. */
export const isAction = (name: string): name is ActionName => name in paletteEn.names

// Nobody can go to a screen about something without saying about what.
const destinations = screens.filter(({ screen }) => !screen.path.includes(':'))

/** The screens that a user may go to, found by their names and by their group's. */
export const destinationsFor = (user: PermissionHolder | null): readonly SearchItem<ScreenOfGroup>[] =>
  destinations
    .filter(({ screen, group }) => redirectFor(screen, group, user) === null)
    .map((destination) => {
      const { screen, group } = destination
      const { name } = screen
      const names = [
        ...(isAction(name) ? namesOf(({ palette }) => palette.names[name]) : []),
        ...namesOf(({ screens }) => screens[name].title),
      ]
      const others = [
        ...(group === undefined ? [] : namesOf(({ screens }) => screens[group.name].title)),
        ...keywordsOf(name),
      ]
      return createSearchItem(destination, names, others)
    })

export type GeneralActionName = 'logout' | 'scheme' | 'language' | 'keys'

/** @param label what the action is called now */
export const createActionItem = <Item>(
  item: Item,
  name: GeneralActionName,
  label: string,
): SearchItem<Item> => createSearchItem(item, [label], keywordsOf(name))
