/** Texts of `features/third-parties`. */
export const thirdParties = {
  empty: 'No third parties seen yet',
  emptyHint: 'Hosts appear here once webs have been audited.',
  onlyReview: 'Needs review only ({{count, number}})',
  showWebs: 'Show webs',
  classify: {
    label: 'Classify…',
    title: 'Classify {{host}}',
    host: 'Host',
    hostHint: 'Applies to this host and its subdomains, on all webs.',
    category: 'Category',
    listed: 'As listed',
    reason: 'Reason',
    reasonHint: 'Why, for the log',
    by: 'Classified by {{by}} on {{at}}: {{reason}}',
    bySystem: 'Classified on {{at}}: {{reason}}',
    submit: 'Classify',
    done: 'classified for all webs',
  },
  policy: {
    label: 'Consent policy',
    title: 'What needs consent?',
    hint: 'Applies to all webs at once. Stored audits keep their results.',
    save: 'Save',
    done: 'saved',
  },
} as const
