/** Texts of `features/queue`. */
export const queue = {
  empty: 'The queue is empty',
  emptyHint: 'Waiting, running and recently finished jobs appear here.',
  deploymentsAlone: 'Deployments only',
  openDeployment: 'Open deployment',
  editWeb: 'Edit web',
  copy: 'Copy id',
  copied: 'id copied',
} as const
