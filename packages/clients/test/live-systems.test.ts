import { describe } from 'vitest'
import { checkBitbucket } from './bitbucket-kit.ts'
import { checkDns } from './dns-kit.ts'
import { checkPlesk } from './plesk-kit.ts'
import { checkRegistrar } from './registrar-kit.ts'
import { checkPages, checkProber } from './web-kit.ts'

// Against the real systems, where the environment names them: reads, and writes nothing.

const { env } = process
const given = (...names: readonly string[]) => names.map((name) => env[name] ?? '')
const missing = (values: readonly string[]) => values.includes('')

{
  const [url = '', workspace = '', credentials = ''] = given(
    'KUSTOS_BITBUCKET_URL',
    'KUSTOS_BITBUCKET_WORKSPACE',
    'KUSTOS_BITBUCKET_TOKEN',
  )
  describe.skipIf(missing([url, workspace, credentials]))('the real Bitbucket', () => {
    checkBitbucket(() => ({ url, workspace, credentials }), { forks: false })
  })
}

{
  const [host = '', key = '', fingerprint = '', fqdn = ''] = given(
    'KUSTOS_PLESK_HOST',
    'KUSTOS_PLESK_KEY',
    'KUSTOS_PLESK_FINGERPRINT',
    'KUSTOS_PLESK_FQDN',
  )
  describe.skipIf(missing([host, key, fingerprint, fqdn]))(
    'a real Plesk, with a self-signed certificate',
    () => {
      const settings = { keys: { real: key }, certificates: { real: fingerprint } }
      checkPlesk(() => ({ settings, node: { name: 'real', plesk_fqdn: host }, fqdn }))
    },
  )
}

{
  const [url = '', token = ''] = given('KUSTOS_LIMITIS_URL', 'KUSTOS_LIMITIS_TOKEN')
  describe.skipIf(missing([url, token]))('the real registrar', () => checkRegistrar(() => ({ url, token })))
}

{
  // A web of the agency's own, over TLS with a certificate that browsers trust.
  const host = env.KUSTOS_WEB_HOST ?? ''
  const servers = (env.KUSTOS_DNS_SERVERS ?? '').split(',').filter((server) => server !== '')
  describe.skipIf(host === '')('a real web', () => {
    const web = () => ({ settings: { dnsServers: servers }, host, ownAuthority: false })
    describe('probed', () => checkProber(web))
    describe('fetched', () => checkPages(web))
    describe('and its name', () => checkDns(() => ({ servers, domain: host, nobodys: `nobody.${host}` })))
  })
}
