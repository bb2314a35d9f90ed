/** Why a domain could not be looked up. */
export const dnsMessages = {
  dns_no_server: 'No name server is configured.',
  dns_bad_name: 'The name is not a host name.',
  dns_timeout: 'No name server responded in time.',
  dns_unreachable: 'No name server could be reached.',
  dns_failure_unconfirmed: 'The name server returned an error (SERVFAIL), and no other server responded.',
  dns_refused: 'The name server refused the query.',
  dns_unsupported: 'The name server does not support this query.',
  dns_question_rejected: 'The name server did not understand the query.',
  dns_answer_unreadable: 'The name server sent an unreadable response.',
  dns_failed: 'The lookup failed: {{detail}}.',
  node_addresses_unknown: 'The addresses of node {{node}} could not be determined.',
} as const
