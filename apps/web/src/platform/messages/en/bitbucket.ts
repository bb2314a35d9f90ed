export const bitbucket = {
  open: 'Open',
  openNamed: 'Open {{name}} on Bitbucket in a new tab',
  copy: 'Copy name',
  copied: 'name copied',
  empty: 'No repositories',
  emptyHint: 'Repositories appear here after the first sync with Bitbucket.',
  stale: 'Bitbucket can’t be reached. This list was loaded {{ago}}.',
} as const
