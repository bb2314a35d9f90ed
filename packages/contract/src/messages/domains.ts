/** What to do about the e-mail security of a domain, and how its DNS has changed. */
export const domainMessages = {
  dns_records_changed: '{{type}} of {{host}} changed from {{from}} to {{to}}',

  spf_missing:
    'Publish an SPF record that names who may send mail for {{domain}}; "v=spf1 -all" if nobody does.',
  spf_multiple: 'Merge the {{count}} SPF records into one, because receivers ignore all of them.',
  spf_term_invalid:
    'Correct “{{term}}” in the SPF record of {{domain}}, because receivers ignore the whole record.',
  spf_include_without_record: 'Remove “{{term}}” from SPF, because {{domain}} has no single SPF record.',
  spf_loop: 'Remove “{{term}}” from SPF, because it leads back to {{domain}}.',
  spf_too_many_lookups:
    'Shorten the SPF record: it needs {{count}} DNS lookups, and receivers stop after {{max}}.',
  spf_many_lookups:
    'Remove senders from SPF before adding others: it needs {{count}} of {{max}} allowed DNS lookups.',
  spf_void_lookups:
    'Remove names without records from SPF ({{names}}), because receivers stop after {{max}} of them.',
  spf_allows_all:
    'Replace “{{term}}” at the end of the SPF record with “-all” or “~all”, because it lets everybody send.',
  spf_without_end: 'End the SPF record with “-all” or “~all”, because otherwise it refuses nobody.',
  spf_ptr: 'Replace “ptr” in SPF with addresses, because many receivers ignore it.',
  spf_unknown: 'SPF could not be checked: {{reason}}',

  dmarc_missing:
    'Publish a DMARC record at _dmarc.{{domain}}, beginning with “v=DMARC1; p=none” and an address for reports.',
  dmarc_multiple: 'Keep one of the {{count}} DMARC records, because receivers ignore all of them.',
  dmarc_invalid: 'Correct the DMARC record, because receivers ignore it: {{tag}} is missing or wrong.',
  dmarc_policy_none:
    'Raise the DMARC policy from none to quarantine once the reports show no mail of your own that fails.',
  dmarc_subdomains_open: 'Raise “sp” in DMARC, because subdomains are not protected.',
  dmarc_partial: 'Raise “pct” in DMARC to 100, because only {{percent}} % of mails are protected.',
  dmarc_without_reports: 'Add an address for reports (“rua”) to DMARC, so that misuse and mistakes are seen.',
  dmarc_unknown: 'DMARC could not be checked: {{reason}}',

  dkim_missing:
    'Set up DKIM where mail is sent from, or add its selector to DKIM_SELECTORS: no known one has a key.',
  dkim_weak: 'Replace the DKIM key of “{{selector}}” with one of 2048 bits: it has {{bits}}.',
  dkim_revoked:
    'Remove the record of “{{selector}}” once no mail signed with it is in transit: its DKIM key is revoked.',
  dkim_invalid: 'Correct the DKIM key of “{{selector}}”: receivers can’t read it.',
  dkim_testing:
    'Remove “t=y” from the DKIM key of “{{selector}}”, because receivers treat its mails as unsigned.',
  dkim_unknown: 'DKIM could not be checked: {{reason}}',

  mx_missing:
    'Publish MX records if {{domain}} receives mail, otherwise “0 .”: without them mail goes to the web server.',
  mx_null_with_others: 'Remove the MX record “0 .” or the others: they contradict each other.',
  mx_host_missing: 'Correct the MX record: {{host}} has no address.',
  mx_unknown: 'MX could not be checked: {{reason}}',
} as const
