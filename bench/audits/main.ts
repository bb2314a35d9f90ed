import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { openPageFetcher } from '@kustos/clients/page'
import { auditPage } from '@kustos/domain/tracking'
import { measureEventLoopBlocking } from './blocks.ts'

/**
 * Measures 100 audits with the static engine, four at a time as in the worker, over real HTTP: each response takes 50 ms,
 * each page has 30 scripts and a container of Google Tag Manager. The processor time includes the server's.
 */
const audits = 100
const concurrency = 4
const scripts = 30
const delayMs = 50

const library = 'var a=/x/g;function b(c){return c/2}'.repeat(3_000)
const tracking = (id: string) => `${library}fbq('init','${id}');`
/** How the scripts of the webs differ: their text by the number of the web and of the script. */
const kinds: readonly (readonly [name: string, script: (web: number, index: number) => string])[] = [
  [
    'ordinary pages: 4 scripts of their own name trackers, 26 do not',
    (web, index) => (index < 4 ? tracking(`${100_000_000 + web * 100 + index}`) : `${library}//${web}`),
  ],
  ['every script names trackers, the same on all webs', () => tracking('123456789012345')],
  [
    'every script names trackers, another on each web',
    (web, index) => tracking(`${100_000_000 + web * 100 + index}`),
  ],
]
const tags = Array.from({ length: 60 }, (_, index) => ({
  function: '__html',
  vtp_html: `<script>fbq('init','1234567890123${index + 10}')</script>`,
}))
const container = `var data = {"resource": ${JSON.stringify({ version: '1', macros: [], tags })}};`
const page = `<!DOCTYPE html><title>Hotel</title><script>(function(w,d,s,l,i){w[l]=w[l]||[];w[l].push({'gtm.start':
new Date().getTime(),event:'gtm.js'});var f=d.getElementsByTagName(s)[0],j=d.createElement(s);j.async=true;
j.src='/metrics/gtm.js?id='+i;f.parentNode.insertBefore(j,f);})(window,document,'script','dataLayer','GTM-ABC1234');</script>
${Array.from({ length: scripts }, (_, index) => `<script src="/script-${index}.js"></script>`).join('')}
${'<p>Guten Tag</p>'.repeat(10_000)}`

let scriptOf = kinds[0]?.[1]

async function respond(response: ServerResponse, host: string, path: string): Promise<void> {
  await sleep(delayMs)
  response.setHeader('content-type', path === '/' ? 'text/html' : 'text/javascript')
  const [web = 0, index = 0] = `${host} ${path}`.match(/\d+/g)?.map(Number) ?? []
  response.end(path === '/' ? page : path.includes('gtm.js') ? container : scriptOf?.(web, index))
}

async function startServer(): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer(
    (request, response) => void respond(response, request.headers.host ?? '', request.url ?? ''),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, port: (server.address() as AddressInfo).port }
}

const { server, port } = await startServer()
// Nothing listens for TLS, so the pages are fetched over plain HTTP.
const pages = openPageFetcher({ connectTo: `:443:127.0.0.1:1,:80:127.0.0.1:${port}` })

async function measureAudits(name: string): Promise<void> {
  const [startedAt, cpuBefore] = [performance.now(), process.cpuUsage()]
  let next = 0
  let complete = 0
  async function work(): Promise<void> {
    for (let index = next++; index < audits; index = next++) {
      const visit = pages.visit()
      const { outcome, problems } = await auditPage({ visit, browser: null }, `web-${index}.test`)
      await visit.end()
      if (outcome === 'seen') complete += 1
      else console.log(`web-${index}.test: ${JSON.stringify(problems[0])}`)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1)
  const { user, system } = process.cpuUsage(cpuBefore)
  const cpu = ((user + system) / 1e6).toFixed(1)
  console.log(`${name}: wall ${seconds} s, processor ${cpu} s; ${complete} of ${audits} audits complete`)
}

console.log(
  `${audits} audits, ${scripts} scripts of 105 KiB and a container each (target: under 60 s on 2 cores)`,
)
for (const [name, script] of kinds) {
  scriptOf = script
  await measureAudits(name)
}
const peakMiB = process.resourceUsage().maxRSS / 1024
console.log(
  `largest resident set: ${peakMiB.toFixed(0)} MiB, the server and all its scripts in the same process`,
)
pages.close()
server.closeAllConnections()
server.close()
await measureEventLoopBlocking()
