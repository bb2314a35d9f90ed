import type { Holder } from '@kustos/contract/permissions'
import paletteDe from '../../platform/messages/de/palette.json' with { type: 'json' }
import shellDe from '../../platform/messages/de/shell.json' with { type: 'json' }
import { palette as paletteEn } from '../../platform/messages/en/palette.ts'
import { shell as shellEn } from '../../platform/messages/en/shell.ts'
import { redirectFor } from '../access.ts'
import { type ScreenOfGroup, screens } from '../screens.ts'
import { type Findable, findable } from './search.ts'

/** Staff know a thing by the one name or the other, whatever language their screens have. */
const catalogues = [
  { ...shellEn, palette: paletteEn },
  { ...shellDe, palette: paletteDe },
]
type Catalogue = (typeof catalogues)[number]

export type ActionName = keyof typeof paletteEn.names
type Word = keyof typeof paletteEn.words

const namesOf = (text: (catalogue: Catalogue) => string): readonly string[] => catalogues.map(text)
const hasWords = (name: string): name is Word => name in paletteEn.words
const wordsOf = (name: string): readonly string[] =>
  hasWords(name) ? namesOf(({ palette }) => palette.words[name]) : []

/** Screens that begin something are listed among the actions. */
export const isAction = (name: string): name is ActionName => name in paletteEn.names

// Nobody can go to a screen about something without saying about what.
const destinations = screens.filter(({ screen }) => !screen.path.includes(':'))

/** The screens that a user may go to, found by their names and by their group's. */
export const destinationsFor = (user: Holder | null): readonly Findable<ScreenOfGroup>[] =>
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
        ...wordsOf(name),
      ]
      return findable(destination, names, others)
    })

export type GeneralActionName = 'logout' | 'scheme' | 'language'

/** @param label what the action is called now */
export const findableAction = <Thing>(
  thing: Thing,
  name: GeneralActionName,
  label: string,
): Findable<Thing> => findable(thing, [label], wordsOf(name))
