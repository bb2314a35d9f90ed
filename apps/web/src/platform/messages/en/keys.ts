export const keys = {
  title: 'Keyboard shortcuts',
  or: 'or',
  names: {
    Shift: 'Shift',
    Enter: 'Enter',
    Space: 'Space',
    Home: 'Home',
    End: 'End',
    PageUp: 'Page up',
    PageDown: 'Page down',
  },
  groups: {
    anywhere: {
      title: 'On every screen',
      keys: {
        palette: 'Search or jump to anything',
        keys: 'Show keyboard shortcuts',
        save: 'Save the current form',
        undo: 'Undo the last action, while its message is shown',
        close: 'Close a dialog or a menu',
      },
    },
    list: {
      title: 'In this list',
      keys: {
        search: 'Search the list',
        move: 'Go to another cell',
        page: 'Go ten rows up or down',
        edge: 'Go to the first or last row',
        open: 'Open what the cell shows',
        inside: 'Focus the links and buttons in the cell',
        menu: 'Show the actions of the row',
      },
    },
    heading: {
      title: 'On a column heading',
      keys: {
        sort: 'Sort by the column',
        sortMore: 'Sort by it as well',
        width: 'Make the column narrower or wider',
        order: 'Move the column',
      },
    },
    selection: {
      title: 'On a checkbox',
      keys: {
        select: 'Select the row',
        range: 'Select all rows from the last selected one',
      },
    },
  },
} as const
