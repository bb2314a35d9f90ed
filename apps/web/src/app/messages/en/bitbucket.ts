/** Texts of `features/bitbucket`. */
export const bitbucket = {
  open: 'Open',
  openNamed: 'Open {{name}} on Bitbucket in a new tab',
  copy: 'Copy name',
  copied: 'name copied',
  empty: 'There are no repositories',
  emptyHint: 'The repositories of the workspace stand here once Bitbucket has been read.',
  stale: 'Bitbucket cannot be reached. The list of repositories was read {{ago}}.',
} as const
