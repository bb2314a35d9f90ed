import type { keys } from '../../platform/messages/en/keys.ts'

type TextOf<Group extends GroupName> = keyof (typeof keys.groups)[Group]['keys']
export type GroupName = keyof typeof keys.groups

/** Keys pressed together; `mod` is Control, or Command on a Mac. The arrows of a key each go their own way. */
type Chord = readonly string[]

/** The keys of each group, by what they do. */
export const keyGroups: { readonly [Group in GroupName]: Readonly<Record<TextOf<Group>, readonly Chord[]>> } =
  {
    anywhere: {
      palette: [['mod', 'K']],
      keys: [['?']],
      save: [['mod', 'S']],
      undo: [['Z']],
      close: [['Esc']],
    },
    list: {
      search: [['/']],
      move: [['↑ ↓ ← →']],
      page: [['PageUp'], ['PageDown']],
      edge: [
        ['mod', 'Home'],
        ['mod', 'End'],
      ],
      open: [['Enter']],
      inside: [['F2']],
      menu: [['Shift', 'F10']],
    },
    heading: {
      sort: [['Enter']],
      sortMore: [['Shift', 'Enter']],
      width: [['Alt', '← →']],
      order: [['Alt', 'Shift', '← →']],
    },
    selection: {
      select: [['Space']],
      range: [['Shift', 'Space']],
    },
  }

/** The groups for the screen as it is now: those of its list first. */
export function groupsOf(screen: ParentNode): readonly GroupName[] {
  if (screen.querySelector('[role="grid"]') === null) return ['anywhere']
  const hasSelection = screen.querySelector('[role="grid"] input[type="checkbox"]') !== null
  return ['list', ...(hasSelection ? (['selection'] as const) : []), 'heading', 'anywhere']
}
