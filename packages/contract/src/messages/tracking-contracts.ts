/** How the tracking of a web differs from its contract, and why a change of the contract was refused. */
export const trackingContractMessages = {
  drift_missing: '{{what}} is missing (agreed: {{expected}})',
  drift_unexpected: '{{what}} is not agreed (found: {{found}})',
  drift_unexpected_host: '{{host}} is loaded, but not agreed',
  drift_wrong_tool: 'The consent tool is {{found}} instead of {{expected}}',
  drift_wrong_id: '{{what}} has the id {{found}} instead of {{expected}}',
  drift_wrong_version: '{{what}} has version {{found}} instead of {{expected}}',
  drift_too_early: '{{what}} is loaded without consent',
  drift_any_id: 'any id',
  drift_consent_tool: 'The consent tool',

  difference_over: 'This difference has ended in the meantime. Nothing was changed.',
  exception_not_found: 'There is no exception with the id {{id}}.',
} as const
