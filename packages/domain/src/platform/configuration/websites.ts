import { isIP } from 'node:net'
import { z } from 'zod'
import { secret, section } from './documentation.ts'
import { byName, httpUrl, listOf, matching, wholeNumber } from './formats.ts'

const requests = section('Website requests')
const nodes = section('Nodes')
const monitoring = section('Monitoring and audits')
const registrar = section('Domains and mailboxes')

/** Whether `dns.Resolver.setServers` takes the text: an address, with a port an IPv6 one in brackets. */
function isNameServer(text: string): boolean {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text) ?? []
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) return false
  return isIP(bracketed ?? plain ?? text) !== 0
}

export const websiteVariables = {
  BITBUCKET_URL: requests(httpUrl().default('https://api.bitbucket.org/2.0'), 'The API of Bitbucket.'),
  BITBUCKET_WORKSPACE: requests(
    matching(/^[A-Za-z0-9{][A-Za-z0-9_{}-]*$/, 'must be a workspace slug').optional(),
    'The slug of the workspace that holds the templates.',
  ),
  BITBUCKET_TOKEN: requests(
    z.string().optional(),
    "An access token of the workspace, or `e-mail:token` for a user's API token.",
    secret,
  ),
  OPERATOR_CODE: requests(
    matching(/^([A-ZÄÖÜ]+|\d{6})$/, 'must be an all uppercase word or a 6 digit number').optional(),
    'The customer that trial-day websites belong to.',
  ),
  TRIAL_DAY_TEMPLATE: requests(
    z.string().optional(),
    'The repository that trial-day websites are forked from.',
  ),
  SSH_KEY_FILE: nodes(z.string().optional(), 'The private key that the nodes accept.'),
  SSH_KNOWN_HOSTS: nodes(
    z.string().optional(),
    "The nodes' host keys, in OpenSSH's `known_hosts` format. A node without an entry is not connected to.",
  ),
  SSH_USER: nodes(
    matching(/^[a-z_][a-z0-9_-]*$/, 'must be a user name').default('root'),
    'The user that commands run as on the nodes.',
  ),
  NODE_CONCURRENCY: nodes(wholeNumber(1, 64).default(2), 'How many deployments run at once on each node.'),
  INSPECTION_CONCURRENCY: nodes(
    wholeNumber(1, 64).default(4),
    'How many refreshes, audits and readings of nodes run at once in each worker.',
  ),
  PLESK_API_KEYS: nodes(
    byName(/\S+/, 'must list NODE=KEY, separated by commas'),
    'The API keys of the Plesk panels, `NODE=KEY`, comma-separated.',
    secret,
  ),
  PLESK_CERTIFICATES: nodes(
    byName(
      /(?:[0-9A-Fa-f]{2}:?){31}[0-9A-Fa-f]{2}/,
      'must list NODE=FINGERPRINT (SHA-256, in hexadecimal digits), separated by commas',
    ),
    'SHA-256 fingerprints of the panels’ self-signed certificates, `NODE=AA:BB:…`, comma-separated.',
  ),
  RECIPES_FILE: nodes(
    z.string().optional(),
    'A recipe file to use instead of the one shipped for Plesk nodes.',
  ),
  LOCAL_NODES_DIR: nodes(
    z.string().optional(),
    'A folder with a subfolder for each node. Commands then run on this machine in it instead of over SSH.',
  ),
  INTERNAL_DOMAIN_MARKER: monitoring(
    z.string().trim().toLowerCase().default(''),
    "Part of the operator's own host names. Websites whose host name contains it are left out of the monitoring " +
      'and tracking lists.',
  ),
  PROBE_INTERVAL: monitoring(
    wholeNumber(2, 3600)
      .refine((seconds) => 3600 % seconds === 0, 'must divide an hour, as 30, 60 and 300 do')
      .default(60),
    'Seconds between two rounds of probes. Must divide an hour, so that rounds start with the hour and the day.',
  ),
  PROBE_ALLOW_NETWORKS: monitoring(
    listOf(z.union([z.cidrv4(), z.cidrv6()], 'must list networks (CIDR)')).default([]),
    'Private networks (CIDR), comma-separated, that may be probed nevertheless.',
  ),
  PROBE_CA_FILE: monitoring(
    z.string().optional(),
    'Certificates (PEM) of authorities that probes trust besides the public ones.',
  ),
  PROBE_CONTROLS: monitoring(
    listOf(matching(/^[\w-]+(\.[\w-]+)*$/, 'must list host names')).default([]),
    'Host names of others, comma-separated, that are probed when no website responds. If one of them responds, it is an ' +
      'outage of all websites, otherwise one of our own network. Without them it counts as our own.',
  ),
  HEARTBEAT_URL: monitoring(
    httpUrl().optional(),
    "A dead-man's switch, which is called after each round of probes, and raises an alarm when it is not. Private addresses " +
      'need `PROBE_ALLOW_NETWORKS`.',
    secret,
  ),
  DNS_SERVERS: monitoring(
    listOf(
      z
        .string()
        .refine(isNameServer, 'must list addresses such as 9.9.9.9, 127.0.0.1:5353 or [2620:fe::fe]:53'),
    ).default([]),
    "Name servers, comma-separated, with a port if it is not 53; the system's when unset. With two or more, a failure " +
      'reported by one of them counts only when another confirms it.',
  ),
  TRACKING_BROWSER: monitoring(
    matching(
      /^(\/|wss?:\/\/[^/\s]+)/,
      'must be the absolute path of a Chromium or ws://host:port',
    ).optional(),
    'The Chromium that tracking audits open pages in: its absolute path, or `ws://host:port` of a server of Playwright that ' +
      'runs it. Audits read the HTML only when it is unset.',
  ),
  TRACKING_BROWSER_USER: monitoring(
    matching(/^[a-z_][a-z0-9_-]*$/, 'must be a user name').default('nobody'),
    'The user that the browser runs as if the worker runs as root. The user must be able to run the program, and needs ' +
      'no other right.',
  ),
  TRACKING_BROWSER_SANDBOX: monitoring(
    z.enum(['required', 'optional'], 'must be required or optional').default('required'),
    "With `required`, audits use the browser only in Chromium's sandbox and never as root. With `optional`, it also runs " +
      'without the sandbox, and as root if it does not start as another user.',
  ),
  TRACKING_BUDGET_SECONDS: monitoring(
    wholeNumber(15, 120).default(45),
    'How long the browser visits a website in an audit, all its pages and visitors together. What it has not seen by then is ' +
      'reported as missing.',
  ),
  TRACKING_BUDGET_MEGABYTES: monitoring(
    wholeNumber(5, 10_000).default(100),
    'How many megabytes such a visit sends and receives before it ends.',
  ),
  LIMITIS_API_URL: registrar(
    httpUrl().optional(),
    "The registrar's API that domains and mailboxes are synchronised from.",
  ),
  LIMITIS_API_TOKEN: registrar(z.string().optional(), 'The token for that API.', secret),
  RDAP_BOOTSTRAP_FILE: registrar(
    z.string().optional(),
    "A list of registries' RDAP servers (IANA's `dns.json`) to use instead of the one shipped.",
  ),
  DKIM_SELECTORS: registrar(
    listOf(
      matching(/^[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9])?(\.[A-Za-z0-9_-]+)*$/, 'must list DKIM selectors'),
    ).default([
      'google',
      'selector1',
      'selector2',
      'default',
      'dkim',
      'mail',
      'k1',
      'k2',
      'k3',
      's1',
      's2',
      'smtp',
      'mandrill',
      'mxvault',
    ]),
    'The selectors under which DKIM keys are looked up, comma-separated. DNS does not tell which ones a domain uses.',
  ),
}
