/** Texts of the components in `ui/`. */
export const ui = {
  confirm: { title: 'Please confirm', yes: 'Yes', cancel: 'Cancel' },
  alert: { ok: 'OK', close: 'Close' },
  dialog: { cancel: 'Cancel', close: 'Close' },
  unsaved: {
    title: 'Unsaved changes',
    text: 'Your changes have not been saved. Leave this page and lose them?',
    leave: 'Leave',
    stay: 'Stay',
  },
  query: { retry: 'Retry', failed: 'This could not be loaded', stale: 'Shown as it was before.' },
  web: {
    untitled: 'Web {{id}}',
    missing: 'There is no web {{id}}',
    missingHint: 'It may have been deleted meanwhile.',
  },
  bulk: {
    progress: '{{done}} of {{count}}',
    failure: '{{fqdn}}: {{reason}}',
    more_one: 'And one more.',
    more_other: 'And {{count}} more.',
  },
  copyRefused: 'The browser does not let this page use the clipboard.',
  notify: {
    failed: '{{thing}}: failed',
    close: 'Close notification',
    denied: 'You may not see “{{screen}}” (any more)',
    deniedHint: 'It needs a permission that you do not have. Whoever keeps the roles can give it to you.',
    deniedKept:
      'It needs a permission that you do not have. What you had typed there is kept: it is there again once you may see it, as long as this tab stays open and no other form is opened.',
  },
} as const
