export const serviceMessages = {
  /** Errors that are not meant for users; the log has them under that id. */
  unexpected_failure: 'Internal error. See the log under {{requestId}}.',

  /** Why Bitbucket refused or failed. */
  bitbucket_token_refused:
    'Bitbucket does not accept the token: it has expired or was revoked. Set a new one in BITBUCKET_TOKEN.',
  bitbucket_forbidden: 'Bitbucket does not allow this with the token in BITBUCKET_TOKEN{{detail}}.',
  bitbucket_workspace_blocked: 'Bitbucket has blocked the workspace {{workspace}}{{detail}}.',
  bitbucket_workspace_missing:
    'The workspace {{workspace}} doesn’t exist on Bitbucket, or the token can’t read it. Check BITBUCKET_WORKSPACE and BITBUCKET_TOKEN.',
  bitbucket_rate_limited: 'Bitbucket rate-limited this token; try again {{when}}.',
  retry_in_seconds: 'in {{seconds}} s',
  retry_in_minutes: 'in {{minutes}} minutes',
  retry_in_a_few_minutes: 'in a few minutes',
  bitbucket_out_of_order: 'Bitbucket reported a server error ({{status}}{{detail}}). Try again later.',
  bitbucket_moved: 'Bitbucket points to another address, which Kustos does not follow. Check BITBUCKET_URL.',
  bitbucket_refused: 'Bitbucket refuses this ({{status}}{{detail}}).',
  bitbucket_repository_missing: 'Bitbucket has no repository {{repository}}.',
  bitbucket_name_taken: 'Bitbucket already has a repository of this name.',
  bitbucket_name_invalid: '{{name}} is not a valid repository name on Bitbucket.',
  bitbucket_fork_unknown: '{{reason}} Could not determine whether the fork was created.',
  service_too_many_pages: '{{service}} returned more than {{max}} pages.',
  service_next_page_unreadable: '{{service}}’s next page has no URL.',
  service_next_page_elsewhere:
    '{{service}} points to another host for the next page, which Kustos does not follow. Check {{setting}}.',

  /** Why a command could not be run on a node. */
  node_name_unusable: '{{node}} can’t be used as a folder name.',
  node_folder_missing: '{{node}} has no folder to run in: {{reason}}',
  node_shell_missing: '{{node}} can’t start a shell: {{reason}}',
  node_cannot_start: '{{node}} can’t start commands in {{folder}}: {{reason}}',
  node_end_unknown: '{{node}} did not report whether the command has ended.',
  node_outcome_unknown: '{{node}} did not report the result of a command: {{reply}}',
  node_reply_missing: 'no response',
  node_silent: '{{node}} does not respond.',
  node_not_cleaned_up: '{{node}} could not clean up after a command: {{reason}}',
  exited_with: 'exit code {{exitCode}}',
  ssh_not_set_up_for: 'SSH_KEY_FILE is missing: node {{node}} can’t be reached.',
  ssh_key_unusable: '{{node}} can’t be reached: the SSH key {{file}} can’t be used ({{reason}}).',
  ssh_key_unreadable: '{{node}} can’t be reached: the SSH key {{file}} can’t be read ({{reason}}).',
  ssh_host_keys_unreadable:
    '{{node}} can’t be reached: the list of host keys {{file}} can’t be read ({{reason}}).',
  ssh_unreachable: '{{node}} can’t be reached over SSH ({{user}}@{{host}}, port {{port}}): {{reason}}.',
  ssh_closed: 'it closed the connection',
  ssh_host_key_differs:
    'it presents the key {{fingerprint}} instead of the one entered for this node: either it was reinstalled or another machine responds in its place',
  ssh_host_key_unconfirmed: 'it presents the key {{fingerprint}}, which nobody has confirmed yet',
  ssh_host_key_changed:
    'it presents the key {{fingerprint}}, but another one is pinned in {{file}}: either it was reinstalled or another machine responds in its place',
  ssh_host_key_unknown: 'it presents the key {{fingerprint}}, which isn’t in {{file}}',
  ssh_host_key_revoked: 'it presents the key {{fingerprint}}, which {{file}} marks as revoked',
  ssh_host_key_type: 'it has no key of the type that is pinned ({{types}})',
  ssh_key_refused: 'it does not accept the SSH key',
  ssh_timed_out: 'it does not respond in time',
  ssh_refused: 'nothing listens there',
  ssh_host_unknown: 'there is no host of this name',
  ssh_not_started: '{{node}} does not start a command over SSH: {{reason}}.',
  ssh_lost: 'The SSH connection to {{node}} was lost: {{reason}}.',
  ssh_lost_while_running: 'The connection to {{node}} was lost while a command ran: {{reason}}.',
  ssh_closed_here: 'it was closed',
  ssh_exit_code_missing: 'it ended without an exit code',

  /** Why a domain could not be looked up. */
  dns_no_server: 'No name server is configured.',
  dns_bad_name: 'The name is not a host name.',
  dns_timeout: 'No name server responded in time.',
  dns_unreachable: 'No name server could be reached.',
  dns_answers_differ: 'Two readings of the name servers differ, so the domain status stays as it was.',
  dns_failure_unconfirmed: 'The name server returned an error (SERVFAIL), and no other server responded.',
  dns_refused: 'The name server refused the query.',
  dns_unsupported: 'The name server does not support this query.',
  dns_question_rejected: 'The name server did not understand the query.',
  dns_answer_unreadable: 'The name server sent an unreadable response.',
  dns_failed: 'The lookup failed: {{detail}}.',

  /** Why it is not known when a domain expires. */
  rdap_no_server: 'Its registry offers no RDAP, so its expiry can’t be looked up.',
  rdap_no_expiry: 'Its registry does not publish when it expires.',
  rdap_not_registered: 'Its registry does not know this domain.',
  rdap_rate_limited: '{{server}} asks for fewer lookups.',
  rdap_refused: '{{server}} refused the lookup with status {{status}}.',
  rdap_answer_unreadable: '{{server}} sent an unreadable response.',
  rdap_too_many_redirects: '{{server}} redirects too often.',
  node_addresses_unknown: 'The addresses of node {{node}} could not be determined.',
} as const
