/** Texts of the page about one web. */
export const webPage = {
  show: 'Show web',
  audit: 'Tracking audit',
  back: 'To the list of webs',
  more: 'More actions on {{fqdn}}',
  all: 'Show all {{formatted}}',
  facts: {
    title: 'Facts',
    showMore: 'Show all of it',
    showLess: 'Show less',
    watched: 'watched, nobody is told',
    watchedBy: 'watched, told by {{channels}}',
  },
  hosts: { title: 'Sites and aliases', sites: 'Sites', aliases: 'Aliases', none: 'It has no other names.' },
  days: {
    title: 'Last {{count}} days',
    uptime: 'uptime',
    median: 'median of each day',
    more: 'Daily uptime',
  },
  tracking: { more: 'All audits' },
  deployments: {
    title: 'Deployments',
    none: 'Nothing was deployed yet',
    noneHint: 'Updates, backups and exports of this web stand here.',
  },
  log: { title: 'Log', none: 'Nothing of it has been changed yet.' },
} as const
