import { describe } from 'vitest'
import { checkBitbucket } from './bitbucket-kit.ts'
import { checkDns } from './dns-kit.ts'
import { checkPlesk } from './plesk-kit.ts'
import { checkRegistrar } from './registrar-kit.ts'
import { checkPages, checkProber } from './web-kit.ts'

// Runs the contract tests against the real systems that the environment names. Writes nothing.

const { env } = process
const readEnv = (...names: readonly string[]) => names.map((name) => env[name] ?? '')
const isIncomplete = (values: readonly string[]) => values.includes('')

{
  const [url = '', workspace = '', credentials = ''] = readEnv(
    'KUSTOS_BITBUCKET_URL',
    'KUSTOS_BITBUCKET_WORKSPACE',
    'KUSTOS_BITBUCKET_TOKEN',
  )
  describe.skipIf(isIncomplete([url, workspace, credentials]))('the real Bitbucket', () => {
    checkBitbucket(() => ({ url, workspace, credentials }), { forks: false })
  })
}

{
  const [host = '', key = '', fingerprint = '', fqdn = ''] = readEnv(
    'KUSTOS_PLESK_HOST',
    'KUSTOS_PLESK_KEY',
    'KUSTOS_PLESK_FINGERPRINT',
    'KUSTOS_PLESK_FQDN',
  )
  describe.skipIf(isIncomplete([host, key, fingerprint, fqdn]))(
    'a real Plesk, with a self-signed certificate',
    () => {
      const settings = { keys: { real: key }, certificates: { real: fingerprint } }
      checkPlesk(() => ({ settings, node: { name: 'real', plesk_fqdn: host }, fqdn }))
    },
  )
}

{
  const [url = '', token = ''] = readEnv('KUSTOS_LIMITIS_URL', 'KUSTOS_LIMITIS_TOKEN')
  describe.skipIf(isIncomplete([url, token]))('the real registrar', () =>
    checkRegistrar(() => ({ url, token })),
  )
}

{
  // One of the agency's webs, with a certificate that browsers trust.
  const host = env.KUSTOS_WEB_HOST ?? ''
  const servers = (env.KUSTOS_DNS_SERVERS ?? '').split(',').filter((server) => server !== '')
  describe.skipIf(host === '')('a real web', () => {
    const web = () => ({ settings: { dnsServers: servers }, host, ownAuthority: false })
    describe('probed', () => checkProber(web))
    describe('fetched', () => checkPages(web))
    describe('and its name', () =>
      checkDns(() => ({ servers, domain: host, unregistered: `nobody.${host}` })))
  })
}
