export const dashboard = {
  open: 'Open',
  openNamed: 'Open {{name}}',
  figures: {
    webs: 'Webs',
    inactive: 'Inactive',
    certificates: 'Certificates expired or expiring within 14 days',
    framework: 'Framework without free support',
    beforeConsent: 'Tracking without consent',
  },
  queueFigures: { running: 'Deployments running', waiting: 'Deployments waiting' },
  monitoringFigures: { down: 'Webs down now', monitored: 'Webs monitored' },
  firstSteps: {
    title: 'First steps',
    done: 'done',
    steps: {
      node: {
        title: 'Connect a node',
        hint: 'Enter a Plesk server, test its connection and confirm its host key.',
      },
      webs: {
        title: 'Import its webs',
        hint: 'Kustos finds and monitors them.',
      },
      alerts: {
        title: 'Get outage alerts',
        hint: 'Turn on e-mail alerts in Settings, or set up Slack or Telegram in “Alert channels”.',
      },
      colleague: {
        title: 'Invite a colleague',
        hint: 'Create a user and choose what they can see and do.',
      },
    },
  },
  nothing: 'You don’t have access to any area yet',
  nothingHint: 'Ask an administrator for a role.',
} as const
