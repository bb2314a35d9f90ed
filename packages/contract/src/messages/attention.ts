/** Why something needs attention; phrases without a full stop. */
export const attentionMessages = {
  monitoring_rounds_missing: 'no websites have been checked since then',
  monitoring_network_in_doubt: 'all checks fail, probably because of our own network',
  deployment_not_started: 'no worker has started it',
  deployment_worker_lost: 'its worker has stopped, and no other has taken over',
  deployment_no_progress: 'no step has ended since then',
} as const
