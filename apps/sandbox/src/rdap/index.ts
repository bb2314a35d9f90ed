import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { normalizeDomain } from '@kustos/contract/external-domains'
import { type ScriptedRecords, scriptedTypes } from '../dns/index.ts'
import {
  breakConnection,
  createService,
  type Fault,
  HttpError,
  jsonReply,
  type Route,
  readJsonObject,
  textReply,
} from '../http-service.ts'
import { listen, loopback, trackConnections } from '../listen.ts'

export interface RegistryDomain {
  readonly fqdn: string
  /** Null if the registry publishes none. */
  readonly expiresAt: string | null
  readonly registrar: string
}

const host = 'rdap.registry.test'

const faults: Readonly<Record<string, Fault>> = {
  down: breakConnection,
  errors: () => textReply('Maintenance', 503),
  'rate-limited': () => textReply('Too many requests', 429, { 'retry-after': '60' }),
}

interface RegistrySettings {
  /** Where the bootstrap file is written. */
  readonly folder: string
  readonly domains: readonly RegistryDomain[]
  /** Set by the control API. */
  readonly records: ScriptedRecords
  readonly address?: string
}

/** Starts the registry of .test, which answers RDAP lookups, and the control API of domains. */
export async function startRegistry({ folder, domains, records, address = loopback }: RegistrySettings) {
  const known = new Map(domains.map((domain) => [normalizeDomain(domain.fqdn), domain]))
  const routes: readonly Route[] = [
    [
      'GET',
      '/domain/:name',
      ({ params: { name = '' } }) => {
        const domain = known.get(name.toLowerCase())
        if (!domain) throw new HttpError(404, 'Not Found')
        return jsonReply(domainObject(name.toLowerCase(), domain), 200, {
          'content-type': 'application/rdap+json',
        })
      },
    ],
    [
      'PUT',
      '/_sandbox/domains/:name',
      async ({ params: { name = '' }, incoming }) => {
        const { expires_at: end } = (await readJsonObject(incoming)) ?? {}
        const domain = known.get(name)
        if (!domain) throw new HttpError(404, 'Not Found')
        if (end !== null && (typeof end !== 'string' || Number.isNaN(Date.parse(end))))
          throw new HttpError(400, 'expires_at must be a time or null')
        known.set(name, { ...domain, expiresAt: end })
        return jsonReply({ expires_at: end })
      },
    ],
    [
      'PUT',
      '/_sandbox/dns/:name/:type',
      async ({ params: { name = '', type = '' }, incoming }) => {
        const { records: given } = (await readJsonObject(incoming)) ?? {}
        if (!scriptedTypes.some((one) => one === type))
          throw new HttpError(400, `The type must be one of ${scriptedTypes.join(', ')}`)
        const key = `${name.toLowerCase()} ${type}`
        if (given === null) records.delete(key)
        else if (Array.isArray(given) && given.every((text) => typeof text === 'string'))
          records.set(key, given)
        else throw new HttpError(400, 'records must be a list of texts, or null for those of the seed')
        return jsonReply({ records: given })
      },
    ],
  ]
  const formatError = ({ status, message }: HttpError) =>
    jsonReply({ errorCode: status, title: message }, status)
  const server = createServer(createService({ routes, faults, formatError }))
  const stop = trackConnections(server)
  const port = await listen(server, address)
  const url = `http://${address}:${port}`
  const bootstrapFile = join(folder, 'rdap.json')
  await writeFile(
    bootstrapFile,
    JSON.stringify({ services: [[['test'], [`http://${host}/`]]], control: `${url}/_sandbox` }),
  )
  return { url, bootstrapFile, connectTo: `${host}:80:${address}:${port}`, stop }
}

/** RFC 9083, 5.3. */
const domainObject = (ldhName: string, { expiresAt, registrar }: RegistryDomain) => ({
  objectClassName: 'domain',
  ldhName,
  status: ['active'],
  events: expiresAt === null ? [] : [{ eventAction: 'expiration', eventDate: expiresAt }],
  entities: [
    {
      objectClassName: 'entity',
      roles: ['registrar'],
      vcardArray: ['vcard', [['fn', {}, 'text', registrar]]],
    },
  ],
  rdapConformance: ['rdap_level_0'],
})
