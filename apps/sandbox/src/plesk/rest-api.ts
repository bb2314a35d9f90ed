import {
  breakConnection,
  createService,
  type Fault,
  type Handler,
  HttpError,
  htmlReply,
  isSameSecret,
  type JsonObject,
  jsonReply,
  type Route,
  readJsonObject,
} from '../http-service.ts'
import { formatDomainInfo } from './domain-info.ts'
import { type PanelDomain, statusWord } from './domains.ts'
import { pleskVersion } from './version.ts'

export interface Panel {
  readonly apiKey: string
  readonly listDomains: () => Promise<readonly PanelDomain[]>
}

const faults: Readonly<Record<string, Fault>> = {
  down: breakConnection,
  errors: () => htmlReply('<h1>503</h1>', 503),
  silent: () => null,
}

/** The part of a Plesk panel's REST API that Kustos uses. */
export function createPanelService({ apiKey, listDomains }: Panel) {
  const authorized =
    (handle: Handler): Handler =>
    (request) => {
      if (!isSameSecret(String(request.incoming.headers['x-api-key'] ?? ''), apiKey))
        throw new HttpError(401, 'You have no permission to access the API.')
      return handle(request)
    }

  const routes: readonly Route[] = [
    ['GET', '/server', () => jsonReply({ platform: 'Unix', panel_version: pleskVersion })],
    [
      'GET',
      '/domains',
      async ({ url }) => {
        const name = url.searchParams.get('name')
        const domains = await listDomains()
        return jsonReply(
          (name === null ? domains : domains.filter(isNamed(name))).map(({ domain }) => domain),
        )
      },
    ],
    [
      'GET',
      '/domains/:id/status',
      async ({ params }) => {
        const found = (await listDomains()).find(({ domain }) => String(domain.id) === params.id)
        if (found === undefined) throw new HttpError(404, 'The requested resource was not found.')
        return jsonReply({ status: statusWord(found.subscription) })
      },
    ],
    [
      'POST',
      '/cli/domain/call',
      async ({ incoming }) => jsonReply(runUtility(await listDomains(), await readJsonObject(incoming))),
    ],
  ]
  return createService({
    routes: routes.map(([method, path, handle]) => [method, `/api/v2${path}`, authorized(handle)]),
    faults,
    formatError: ({ status, message }) => jsonReply({ code: 0, message }, status),
  })
}

/** Utilities report errors with an exit code in a successful response. */
function runUtility(domains: readonly PanelDomain[], body: JsonObject | null) {
  const params = body?.params
  if (!Array.isArray(params)) throw new HttpError(400, 'The request is not valid: params.')
  const [option, name] = params.map(String)
  if (option !== '--info') return { code: 1, stdout: '', stderr: `Unknown option: ${option}\n` }
  const found = domains.find(isNamed(name ?? ''))
  if (found !== undefined) return { code: 0, stdout: formatDomainInfo(found), stderr: '' }
  const stderr = `An error occurred during getting the domain info: domain ${name} does not exist.\n`
  return { code: 2, stdout: '', stderr }
}

const isNamed =
  (name: string) =>
  ({ domain }: PanelDomain) =>
    [domain.name, domain.ascii_name].includes(name.toLowerCase())
