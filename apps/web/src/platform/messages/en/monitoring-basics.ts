/** What the shell and the list of webs show. */
export const monitoringBasics = {
  noAnswer: '???',
  downFor: 'down for {{length}}',
  downSince: 'Down since {{time}}',
  maintenanceUntil: 'in maintenance until {{time}}',
  degradedSince: 'Since {{time}}: {{reason}}',
  states: {
    up: 'up',
    degraded: 'degraded',
    down: 'down',
    unknown: 'unknown',
    unwatched: 'not monitored',
  },
  header: {
    down_one: '{{count, number}} down',
    down_other: '{{count, number}} down',
    allUp: 'all up',
    never: 'not probed yet',
    late: 'probes overdue',
    unknown: 'possible network issue',
    unprobed: 'nothing checked',
    label: 'Monitoring: {{text}}',
  },
} as const
