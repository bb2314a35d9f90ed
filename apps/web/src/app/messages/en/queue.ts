/** Texts of `features/queue`. */
export const queue = {
  empty: 'The queue is empty',
  emptyHint: 'Deployments and other jobs stand here while they wait and run, and for a while afterwards.',
  deploymentsAlone: 'Deployments only',
  openDeployment: 'Open deployment',
  editWeb: 'Edit web',
  copy: 'Copy id',
  copied: 'id copied',
} as const
