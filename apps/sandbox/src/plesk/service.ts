import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type PanelDomain, statusWord } from './domains.ts'
import { infoText } from './info.ts'

/** How a panel is: `down` breaks every connection, `errors` answers with nothing but 503, `silent` never answers. */
const modes = ['ok', 'down', 'errors', 'silent'] as const
type Mode = (typeof modes)[number]

export interface Panel {
  readonly host: string
  readonly key: string
  /** As of now. */
  readonly domains: () => Promise<readonly PanelDomain[]>
}

interface Said {
  readonly status: number
  readonly json: unknown
}

const refused = (status: number, code: number, message: string): Said => ({ status, json: { code, message } })
const notFound = refused(404, 0, 'The requested resource was not found.')

/** Answers every request that comes to one panel. */
export function service(panel: Panel) {
  let mode: Mode = 'ok'

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', `https://${panel.host}`)
    const body = await bodyOf(request)
    const [, health] = /^\/_sandbox\/health\/(\w+)$/.exec(pathname) ?? []
    if (health !== undefined) {
      const wanted = modes.find((one) => one === health)
      if (request.method === 'PUT' && wanted !== undefined) mode = wanted
      send(response, { status: wanted === undefined ? 400 : 200, json: { mode } })
    } else if (mode === 'down') response.destroy()
    else if (mode === 'errors') response.writeHead(503, { 'content-type': 'text/html' }).end('<h1>503</h1>')
    else if (mode === 'ok')
      send(
        response,
        isKnown(request.headers['x-api-key'], panel.key)
          ? said(
              panel.host,
              await panel.domains(),
              `${request.method} ${pathname}`,
              searchParams.get('name'),
              body,
            )
          : refused(401, 0, 'You have no permission to access the API.'),
      )
  }

  return (request: IncomingMessage, response: ServerResponse): void => {
    answer(request, response).catch(() => response.destroy())
  }
}

const commands = ['domain', 'site', 'subscription']

function said(
  host: string,
  domains: readonly PanelDomain[],
  line: string,
  name: string | null,
  body: string,
): Said {
  if (line === 'GET /api/v2/server')
    return { status: 200, json: { platform: 'Unix', hostname: host, panel_version: '18.0.73' } }
  if (line === 'GET /api/v2/cli/commands') return { status: 200, json: commands }
  if (line === 'GET /api/v2/domains') return { status: 200, json: domains.filter(named(name)).map(shown) }
  const [, id, status] = /^GET \/api\/v2\/domains\/(\d{1,9})(\/status)?$/.exec(line) ?? []
  if (id !== undefined) {
    const found = domains.find(({ told }) => told.id === Number(id))
    if (!found) return notFound
    return { status: 200, json: status ? { status: statusWord(found.subscription) } : found.told }
  }
  const [, command] = /^POST \/api\/v2\/cli\/(\w+)\/call$/.exec(line) ?? []
  return command !== undefined && commands.includes(command) ? call(domains, body) : notFound
}

/** Utilities that fail do so in an HTTP 200. */
function call(domains: readonly PanelDomain[], body: string): Said {
  const params = paramsIn(body)
  if (params === null) return refused(400, 0, 'The request is not valid: params.')
  const ended = (code: number, stdout: string, stderr: string): Said => ({
    status: 200,
    json: { code, stdout, stderr },
  })
  const [option, name = ''] = params
  if (option !== '--info') return ended(1, '', `Unknown option: ${option}\n`)
  const found = domains.find(named(name))
  return found
    ? ended(0, infoText(found), '')
    : ended(2, '', `An error occurred during getting the domain info: domain ${name} does not exist.\n`)
}

function paramsIn(body: string): readonly string[] | null {
  try {
    const { params } = JSON.parse(body)
    return Array.isArray(params) && params.every((one) => typeof one === 'string') ? params : null
  } catch {
    // Not JSON, or nothing that has fields.
    return null
  }
}

const shown = ({ told }: PanelDomain) => told

/** @param name null for all */
const named = (name: string | null) => {
  const wanted = name?.toLowerCase()
  return ({ told }: PanelDomain) => wanted === undefined || told.name === wanted || told.ascii_name === wanted
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request) {
    body += chunk
    if (body.length > 64 * 1024) throw new Error('Nobody says that much')
  }
  return body
}

function isKnown(header: string | string[] | undefined, key: string): boolean {
  const [a, b] = [Buffer.from(String(header ?? '')), Buffer.from(key)]
  return a.length === b.length && timingSafeEqual(a, b)
}

function send(response: ServerResponse, { status, json }: Said): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json))
}
