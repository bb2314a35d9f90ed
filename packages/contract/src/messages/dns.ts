/** Why a domain could not be looked up. */
export const dnsMessages = {
  dns_no_server: 'There is no name server to ask.',
  dns_bad_name: 'The name is not a host name.',
  dns_timeout: 'No name server answered in time.',
  dns_unreachable: 'No name server could be reached.',
  dns_failure_unconfirmed: 'The name server failed, and no other one was there to confirm it.',
  dns_refused: 'The name server refused the question.',
  dns_unsupported: 'The name server does not know such questions.',
  dns_question_rejected: 'The name server did not understand the question.',
  dns_answer_unreadable: 'The name server answered something that cannot be read.',
  dns_failed: 'The lookup failed: {{detail}}.',
  node_addresses_unknown: 'The addresses of node {{node}} could not be learned.',
} as const
