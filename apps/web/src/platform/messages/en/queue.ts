export const queue = {
  empty: 'The queue is empty',
  emptyHint: 'Waiting, running and recently finished jobs appear here.',
  deploymentsOnly: 'Deployments only',
  openDeployment: 'Open deployment',
  editWeb: 'Edit web',
  copy: 'Copy id',
  copied: 'id copied',
  probeShard: 'Probe webs',
  sendAlert: 'Send alert',
  connection: 'Test connection',
  discovery: 'Scan node',
} as const
