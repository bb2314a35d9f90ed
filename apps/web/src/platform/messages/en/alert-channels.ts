/** Texts of `features/alert-channels`. */
export const alertChannels = {
  ofConfiguration: '{{kind}} (configuration)',
  add: 'Add channel',
  edit: 'Edit',
  editTitle: 'Edit {{name}}',
  save: 'Save',
  delete: 'Delete',
  deleteRoles: 'It is used as: {{roles}}.',
  deleteWaiting_one: '1 alert waits for it and goes to the fallback channel.',
  deleteWaiting_other: '{{count, number}} alerts wait for it and go to the fallback channel.',
  deleteLost_one: '1 alert waits for it and will be lost, as no fallback channel remains.',
  deleteLost_other: '{{count, number}} alerts wait for it and will be lost, as no fallback channel remains.',
  fallback: 'Fallback',
  generateKey: 'Generate a key',
  empty: 'No channels',
  emptyHint: 'Add a channel that alerts are sent to.',
  done: { created: 'added', saved: 'saved', deleted: 'deleted' },
  test: {
    label: 'Send test message',
    title: 'Test of {{name}}',
    sending: 'Sending…',
    accepted: 'Accepted',
    look: 'Check that the message has arrived.',
    refused: 'Not accepted',
  },
  fields: {
    labels: {
      name: 'Name',
      kind: 'Kind',
      address: 'E-mail address',
      chat: 'Chat',
      url: 'URL',
      default_for: 'Replaces channel',
      fallback: 'Fallback channel',
    },
    keys: { telegram: 'Token of the bot', pagerduty: 'Integration key', webhook: 'Signing key' },
    /** The channels of webs. */
    webs: { slack: 'Slack for webs', mail: 'E-mail for webs', telegram: 'Telegram for webs' },
    hints: {
      name: 'Shown in alerts and on other screens, e.g. On call',
      chat: 'A number such as -1001234567890, or @name',
      kept: 'Leave empty to keep the stored one.',
      key: 'Copy it to the receiver, which verifies signatures with it. It is not shown again.',
      default_for: 'Alerts of webs that use this channel come here instead.',
      none: 'None',
      fallback: 'Gets the alerts that another channel refuses, with the reason.',
    },
    help: {
      mail: 'Sends through the mail server that the operator has configured.',
      slack: 'In Slack: your app, Incoming Webhooks, Add New Webhook. Copy its URL.',
      telegram: 'Create a bot with @BotFather, add it to the chat, and copy its token.',
      teams:
        'In Teams: Workflows, “Send webhook alerts to a channel”. Copy the URL that is shown at the end. URLs of the retired connectors do not work.',
      discord: 'In Discord: Edit channel, Integrations, Webhooks, New Webhook. Copy its URL.',
      pagerduty:
        'In PagerDuty: the service, Integrations, Events API v2. Each incident opens an alert, which Kustos acknowledges and resolves.',
      webhook:
        'Posts JSON, signed according to Standard Webhooks. Private addresses need PROBE_ALLOW_NETWORKS.',
    },
  },
} as const
