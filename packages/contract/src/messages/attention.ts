/** Why something needs attention, in phrases without a full stop, and why a change of it was refused. */
export const attentionMessages = {
  monitoring_rounds_missing: 'no websites have been checked since then',
  monitoring_nothing_probed: 'no worker has checked any website since then',
  monitoring_network_in_doubt: 'all checks fail, probably because of our own network',
  deployment_not_started: 'no worker has started it',
  deployment_worker_lost: 'its worker has stopped, and no other has taken over',
  deployment_no_progress: 'no step has ended since then',
  names_affected: '{{names}}',
  names_failing: '{{names}}: {{reason}}',

  attention_over: 'This has been resolved in the meantime. Nothing was changed.',
  attention_already_acknowledged: '{{who}} acknowledged this at {{at}}. Nothing was saved.',
  attention_already_assigned: '{{who}} assigned this at {{at}}. Nothing was saved.',
  attention_already_snoozed: '{{who}} snoozed this at {{at}}. Nothing was saved.',
  attention_already_reopened: '{{who}} reopened this at {{at}}. Nothing was saved.',
  assignee_cannot_see: '{{email}} has no permission to see this.',
  time_not_ahead: 'Must be in the future',
} as const
