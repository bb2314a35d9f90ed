export const webPage = {
  back: 'Webs',
  more: 'More actions for {{fqdn}}',
  all: 'Show all {{count, number}}',
  facts: {
    title: 'Details',
    showMore: 'Show more',
    showLess: 'Show less',
    monitored: 'Monitored · no alerts',
    monitoredByCustomer: 'Monitored · alerts of the customer: {{channels}}',
    monitoredBy: 'Monitored · alerts: {{channels}}',
  },
  hosts: {
    title: 'Sites and aliases',
    sites: 'Sites',
    aliases: 'Aliases',
    none: 'This web has no other names.',
  },
  days: {
    title: 'Last {{count}} days',
    uptime: 'uptime',
    median: 'daily median',
    more: 'Daily uptime',
  },
  tracking: { more: 'All audits' },
  deployments: {
    title: 'Deployments',
    none: 'No deployments yet',
    noneHint: 'Updates, backups and exports of this web will appear here.',
  },
  log: { title: 'Log', none: 'No changes yet.' },
} as const
