export const queue = {
  empty: 'The queue is empty',
  emptyHint: 'Waiting, running and recently finished jobs appear here.',
  noDeployments: 'No deployments',
  noDeploymentsHint:
    'Updates, backups, exports, imports and requests for webs appear here, with the user who requested them.',
  showAll: 'Show background jobs',
  openDeployment: 'Open deployment',
  editWeb: 'Edit web',
  copy: 'Copy id',
  copied: 'id copied',
  probeShard: 'Probe webs',
  sendAlert: 'Send alert',
  announceIncidents: 'Announce incidents',
  testChannel: 'Test channel',
  printReport: 'Create report',
  connection: 'Test connection',
  discovery: 'Scan node',
} as const
