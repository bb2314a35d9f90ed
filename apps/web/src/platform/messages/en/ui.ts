export const ui = {
  confirm: { title: 'Please confirm', yes: 'Yes', cancel: 'Cancel' },
  confirmPassword: {
    title: 'Confirm your password',
    text: 'This is a sensitive change. You won’t be asked again for {{minutes}} minutes.',
    password: 'Password',
    confirm: 'Confirm',
    cancel: 'Cancel',
  },
  alert: { ok: 'OK', close: 'Close' },
  dialog: { cancel: 'Cancel', close: 'Close' },
  unsaved: {
    title: 'Unsaved changes',
    text: 'Your changes have not been saved. Leave anyway?',
    leave: 'Leave',
    stay: 'Stay',
  },
  query: { retry: 'Retry', failed: 'Loading failed', stale: 'Showing the last known data.' },
  web: {
    untitled: 'Web {{id}}',
    missing: 'Web {{id}} doesn’t exist',
    missingHint: 'It may have been deleted.',
  },
  bulk: {
    progress: '{{done, number}} of {{count, number}}',
    failure: '{{fqdn}}: {{reason}}',
    more_one: 'And 1 more.',
    more_other: 'And {{count, number}} more.',
  },
  duration: {
    days: '{{count, number}} d',
    hours: '{{count, number}} h',
    minutes: '{{count, number}} min',
    seconds: '{{count, number}} s',
  },
  quoted: '“{{text}}”',
  copyRefused: 'The browser blocked access to the clipboard.',
  notify: {
    failed: '{{subject}}: failed',
    close: 'Close notification',
    denied: 'You don’t have access to “{{screen}}”',
    deniedHint: 'Ask an administrator for the permission.',
    deniedKept:
      'Ask an administrator for the permission. Your input is kept in this tab until you open another form.',
  },
} as const
