import {
  answer,
  answerAfter,
  drip,
  dripHeader,
  flood,
  floodHeader,
  hangUp,
  keepSilent,
  redirect,
  reset,
  send,
} from './acts.ts'
import {
  type Act,
  type AddressName,
  type CertificateName,
  degrades,
  type Expected,
  goesDown,
  type Minute,
  type Names,
  recovers,
  type SiteBehaviour,
  staysUp,
} from './behaviour.ts'

const good = answer('200 OK')
const blank = send('HTTP/1.1 200 OK', 'Content-Length: 0', '', '')
const parked = send('HTTP/1.1 200 OK', '', 'This domain is parked.')
const teapot = answer('418 I am a teapot')

/** Good before the change, and like this from phase 1 on. */
const later =
  <T>(before: T, after: T) =>
  ({ phase }: Minute) =>
    phase === 0 ? before : after
/** Only in phase 1. */
const meanwhile =
  <T>(usual: T, then: T) =>
  ({ phase }: Minute) =>
    phase === 1 ? then : usual

const always = (name: string, act: Act, expected: Expected = staysUp): SiteBehaviour => ({
  name,
  respond: () => act,
  expected,
})
const changes = (name: string, act: Act, expected: Expected): SiteBehaviour => ({
  name,
  respond: later(good, act),
  expected,
})
const moves = (name: string, names: Names, expected: Expected): SiteBehaviour => ({
  name,
  names: later<Names>(['web'], names),
  expected,
})
const lives = (name: string, ...at: readonly AddressName[]): SiteBehaviour => ({
  name,
  names: () => at,
  expected: staysUp,
})
const shows = (name: string, certificate: CertificateName, expected: Expected): SiteBehaviour => ({
  name,
  certificate: later<CertificateName>('good', certificate),
  expected,
})

const status = 'status_down'

/** How sites behave, and what monitoring must make of it, and must not. */
export const siteBehaviours: readonly SiteBehaviour[] = [
  // Pages.
  always('steady', good),
  always('no-content', send('HTTP/1.1 204 No Content', '', '')),
  always('not-modified', send('HTTP/1.1 304 Not Modified', '', '')),
  always(
    'continue-first',
    send('HTTP/1.1 100 Continue', '', 'HTTP/1.1 200 OK', 'Content-Length: 2', '', 'ok'),
  ),
  always(
    'early-hints',
    send('HTTP/1.1 103 Early Hints', 'Link: </a.css>', '', 'HTTP/1.1 200 OK', 'Content-Length: 2', '', 'ok'),
  ),
  always('http-1-0', send('HTTP/1.0 200 OK', '', 'until the end')),
  always('no-phrase', send('HTTP/1.1 200', 'content-length: 2', '', 'ok')),
  always('chunked', send('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked', '', '2', 'ok', '0', '', '')),
  always(
    'many-cookies',
    answer('200 OK', ...Array.from({ length: 50 }, (_, i) => `Set-Cookie: a${i}=b; Path=/`)),
  ),
  always('endless-page', flood),
  always('slow', answerAfter(200)),
  always('teapot', teapot),
  always('redirect-to-www', redirect('301 Moved Permanently', 'https://www.web.test/')),
  always('redirect-to-login', redirect('302 Found', '/login')),
  always('redirect-to-itself', redirect('302 Found', '/')),
  always('redirect-to-http', redirect('301 Moved Permanently', 'http://web.test/')),
  always('redirect-inside', redirect('307 Temporary Redirect', 'http://10.11.12.13/')),
  always('redirect-to-metadata', redirect('308 Permanent Redirect', 'http://169.254.169.254/latest/')),

  // Errors.
  ...[400, 451].map((code) => changes(`status-${code}`, answer(`${code} Refused`), staysUp)),
  ...[401, 403, 429].map((code) => changes(`status-${code}`, answer(`${code} Refused`), degrades)),
  ...[404, 410, 500, 502, 503, 504, 508, 521].map((code) =>
    changes(`status-${code}`, answer(`${code} Failed`), goesDown(status)),
  ),
  { name: 'outage', respond: meanwhile(good, answer('503 Busy')), expected: recovers(status) },
  { name: 'reset-for-a-while', respond: meanwhile(good, reset), expected: recovers('connection_reset') },
  {
    name: 'fails-now-and-then',
    respond: ({ isMishap }) => (isMishap ? answer('500 Failed') : good),
    expected: staysUp,
  },
  {
    name: 'resets-now-and-then',
    respond: ({ isMishap }) => (isMishap ? reset : good),
    expected: staysUp,
  },
  changes('silent', keepSilent, goesDown('no_response_in_time')),
  changes('hangs-up', hangUp, goesDown('response_missing')),
  changes('resets', reset, goesDown('connection_reset')),
  changes(
    'breaks-off',
    send('HTTP/1.1 200 OK', 'Content-Length: 500', '', 'half'),
    goesDown('response_incomplete'),
  ),
  changes('half-a-header', send('HTTP/1.1 200 OK', 'Content-'), goesDown('response_header_incomplete')),
  changes('not-http', send('220 mail.test ESMTP', ''), goesDown('response_not_http')),
  changes('http-0-9', send('<html>hello</html>'), goesDown('response_not_http')),
  changes(
    'broken-chunks',
    send('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked', '', 'zz', 'ok', ''),
    goesDown('response_chunks_malformed'),
  ),
  changes('drip', drip, goesDown('no_whole_response_in_time')),
  changes('drip-header', dripHeader, goesDown('no_response_in_time')),
  changes('endless-header', floodHeader, goesDown('response_header_too_many_lines')),
  changes(
    'huge-header',
    send('HTTP/1.1 200 OK', `X-Large: ${'x'.repeat(70 * 1024)}`, '', ''),
    goesDown('response_header_too_large'),
  ),

  // Contents, and what a check says of them.
  always('always-blank', blank),
  changes('becomes-blank', blank, degrades),
  { ...always('empty-is-fine', blank), respond: later(good, blank), check: { accepts_empty: true } },
  { ...changes('gets-slow', answerAfter(1_500), degrades), check: { slow_ms: 1_000 } },
  { ...always('text-there', good), check: { required_text: 'hello' } },
  { ...changes('text-missing', parked, goesDown('text_missing')), check: { required_text: 'hello' } },
  { ...changes('text-forbidden', parked, goesDown('text_forbidden')), check: { forbidden_text: 'parked' } },
  { ...always('status-expected', answer('401 Unauthorized')), check: { statuses: '401' } },
  {
    ...changes('status-unexpected', good, goesDown(status)),
    respond: later(teapot, good),
    check: { statuses: '418' },
  },
  {
    name: 'front-page-hides-a-failure',
    check: { path: '/health' },
    respond: ({ phase, path }) => (phase > 0 && path === '/health' ? answer('500 Failed') : good),
    expected: goesDown(status),
  },
  {
    name: 'front-page-does-not-matter',
    check: { path: '/health' },
    respond: ({ path }) => (path === '/health' ? good : answer('500 Failed')),
    expected: staysUp,
  },
  {
    name: 'redirect-followed',
    check: { follows_redirects: true },
    respond: ({ path }) => (path === '/home' ? good : redirect('302 Found', '/home')),
    expected: staysUp,
  },
  {
    name: 'redirect-to-a-failure',
    check: { follows_redirects: true },
    respond: ({ phase, path }) =>
      phase > 0 && path === '/home'
        ? answer('500 Failed')
        : path === '/home'
          ? good
          : redirect('302 Found', '/home'),
    expected: goesDown(status),
  },
  {
    ...changes(
      'redirect-elsewhere',
      redirect('302 Found', 'https://parked.test/'),
      goesDown('redirect_elsewhere'),
    ),
    check: { follows_redirects: true, redirect_hosts: ['web.test'] },
  },
  {
    ...changes('redirect-endless', redirect('302 Found', '/'), goesDown('too_many_redirects')),
    check: { follows_redirects: true },
  },
  {
    ...changes(
      'redirect-to-private',
      redirect('302 Found', 'http://10.11.12.13/'),
      goesDown('address_private'),
    ),
    check: { follows_redirects: true },
  },

  // TLS.
  lives('tls-1-2', 'tls12'),
  lives('other-keys', 'p384'),
  moves('tls-lost', ['plain'], goesDown('tls_refused')),
  {
    name: 'tls-lost-for-a-while',
    names: meanwhile<Names>(['web'], ['plain']),
    expected: recovers('tls_refused'),
  },
  moves('tls-1-1', ['oldTls'], goesDown('handshake_failed')),
  moves('handshake-silent', ['silent'], goesDown('no_handshake_in_time')),
  moves('handshake-reset', ['hangUp'], goesDown('handshake_closed')),
  moves('http-on-443', ['noTls'], goesDown('tls_missing')),
  moves('mail-on-443', ['garbage'], goesDown('tls_missing')),
  shows('renewed', 'renewed', staysUp),
  shows('expired', 'expired', goesDown('certificate_expired')),
  shows('not-yet-valid', 'notYetValid', goesDown('certificate_not_yet_valid')),
  shows('wrong-name', 'wrongName', goesDown('certificate_wrong_name')),
  shows('self-signed', 'selfSigned', goesDown('certificate_self_signed')),
  shows('untrusted', 'untrusted', goesDown('certificate_chain_incomplete')),
  shows('name-unknown', 'none', goesDown('handshake_closed')),
  shows('ends-soon', 'endsSoon', staysUp),
  {
    name: 'expired-for-a-while',
    certificate: meanwhile<CertificateName>('good', 'expired'),
    expected: recovers('certificate_expired'),
  },

  // Websites that never had a certificate.
  lives('plain', 'plain'),
  {
    name: 'plain-failing',
    names: () => ['plain'],
    respond: later(good, answer('500 Failed')),
    expected: goesDown(status),
  },

  // Names and addresses.
  moves('closed', ['closed'], goesDown('tls_refused')),
  moves('name-gone', 'unknown', goesDown('name_not_found')),
  moves('name-servers-failing', 'failing', goesDown('name_server_failed')),
  moves('name-servers-silent', 'silent', goesDown('name_server_silent')),
  moves('no-address', 'empty', goesDown('address_missing')),
  {
    name: 'name-gone-for-a-while',
    names: meanwhile<Names>(['web'], 'unknown'),
    expected: recovers('name_not_found'),
  },
  moves('private', ['private'], goesDown('address_private')),
  moves('metadata', ['metadata'], goesDown('address_private')),
  moves('ipv6-private', ['ipv6Private'], goesDown('address_private')),
  lives('first-address-dead', 'closed', 'web'),
  lives('private-address-beside', 'private', 'web'),
  lives('ipv6-dead', 'ipv6Private', 'web'),
  lives('ipv6-only', 'ipv6'),
  lives('both-families', 'ipv6', 'web'),
  {
    name: 'dns-moved',
    names: later<Names>(['web'], ['elsewhere']),
    isRefreshed: true,
    expected: { state: 'down', incidents: [{ kind: 'moved', isOpen: true, reason: 'domain_moved' }] },
  },
  {
    name: 'dns-moved-for-a-while',
    names: meanwhile<Names>(['web'], ['elsewhere']),
    isRefreshed: true,
    expected: { state: 'up', incidents: [{ kind: 'moved', isOpen: false, reason: 'domain_moved' }] },
  },

  // Over time.
  {
    name: 'flapping',
    respond: ({ isOdd }) => (isOdd ? good : answer('503 Busy')),
    expected: {
      state: 'down',
      incidents: [
        ...Array.from({ length: 3 }, () => ({ kind: 'down', isOpen: false, reason: status }) as const),
        { kind: 'flapping', isOpen: true, reason: status },
      ],
    },
  },
]
