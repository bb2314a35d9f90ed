/** Texts of ContractForm. */
export const form = {
  failed: 'Nothing was saved',
  conflict: 'Somebody was faster',
  newestHint: 'Load the newest to go on from there. What you typed stays.',
  loadNewest: 'Load the newest',
  arrived: {
    newest: 'The newest is loaded, with what you typed on top of it. Check it and save.',
    draft: 'Your input from before the sign-in is back. Nothing of it has been saved.',
  },
  clashes_one: 'In one field somebody else’s value stands; yours is under it.',
  clashes_other: 'In {{count}} fields somebody else’s values stand; yours are under them.',
  yours: 'Yours: {{text}}',
  takeYours: 'Use mine',
} as const
