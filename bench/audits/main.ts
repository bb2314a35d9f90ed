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

const script = `${'var a=/x/g;function b(c){return c/2}'.repeat(3_000)}fbq('init','123456789012345');`
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

async function respond(response: ServerResponse, path: string): Promise<void> {
  await sleep(delayMs)
  response.setHeader('content-type', path === '/' ? 'text/html' : 'text/javascript')
  response.end(path === '/' ? page : path.includes('gtm.js') ? container : script)
}

async function startServer(): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer((request, response) => void respond(response, request.url ?? ''))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, port: (server.address() as AddressInfo).port }
}

const { server, port } = await startServer()
// Nothing listens for TLS, so the pages are fetched over plain HTTP.
const pages = openPageFetcher({ connectTo: `:443:127.0.0.1:1,:80:127.0.0.1:${port}` })
const [startedAt, cpuBefore] = [performance.now(), process.cpuUsage()]
let next = 0
let complete = 0
async function work(): Promise<void> {
  for (let index = next++; index < audits; index = next++) {
    const visit = pages.visit()
    const { outcome, problems } = await auditPage({ visit, browser: null }, `web-${index}.test`)
    await visit.end()
    if (outcome === 'seen') complete += 1
    else console.log(`web-${index}.test: ${problems[0]}`)
  }
}
await Promise.all(Array.from({ length: concurrency }, work))
const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1)
const { user, system } = process.cpuUsage(cpuBefore)
console.log(
  `${audits} audits, ${complete} of them complete, ${scripts} scripts of 105 KiB and a container each`,
)
console.log(
  `wall ${seconds} s (target: under 60 s on 2 cores), processor ${((user + system) / 1e6).toFixed(1)} s`,
)
pages.close()
server.closeAllConnections()
server.close()
await measureEventLoopBlocking()
