import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { installedBrowser, openBrowser } from '@kustos/clients/browser'
import { openPageFetcher } from '@kustos/clients/page'
import { auditPage } from '@kustos/domain/tracking'
import { median } from '../median.ts'

/**
 * Measures audits in a browser as a worker runs them, four at once of which two have the browser: the time, and the peak memory
 * of this process and of the browser. Each site has a start page, a content page, a contact page and a page for errors.
 * KUSTOS_BENCH_AUDITS sets their number; KUSTOS_BROWSER names a Chromium.
 */
const audits = Number(process.env.KUSTOS_BENCH_AUDITS ?? 100)
const concurrency = 4
const sampleMs = 500

const executable = await installedBrowser(process.env)
if (executable === null) throw new Error('There is no Chromium on the PATH, and KUSTOS_BROWSER names none')
const server = fork(join(import.meta.dirname, 'server.ts'))
const [port] = await once(server, 'message')
const reach = { connectTo: `:443:127.0.0.1:1,:80:127.0.0.1:${port}` }
const pages = openPageFetcher(reach)
// These pages are our own.
const browser = openBrowser({ ...reach, executable, sandbox: 'optional' })

let peakOfBrowser = 0
let isSampling = false
const sampling = setInterval(() => {
  if (isSampling) return
  isSampling = true
  void memoryOfBrowser().then((mebibytes) => {
    peakOfBrowser = Math.max(peakOfBrowser, mebibytes)
    isSampling = false
  })
}, sampleMs)

const startedAt = performance.now()
const cpuBefore = process.cpuUsage()
const times: number[] = []
let next = 0
let complete = 0
async function work(): Promise<void> {
  for (let index = next++; index < audits; index = next++) {
    const visit = pages.visit()
    const begin = performance.now()
    const { outcome, problems, visit: seen } = await auditPage({ visit, browser }, `www.hotel-${index}.test`)
    times.push(performance.now() - begin)
    await visit.end()
    if (outcome === 'seen' && seen?.stops?.length === 6 && seen.accepted !== null) complete += 1
    else console.log(`www.hotel-${index}.test: ${outcome} ${JSON.stringify(problems)}`)
  }
}
await Promise.all(Array.from({ length: concurrency }, work))
const seconds = (performance.now() - startedAt) / 1_000
const { user, system } = process.cpuUsage(cpuBefore)
clearInterval(sampling)
console.log(`${audits} audits of 6 stops each, ${complete} complete, ${executable}`)
console.log(
  `wall ${seconds.toFixed(0)} s, ${(seconds / audits).toFixed(1)} s for each (target: 100 in under 900 s on 2 cores); ` +
    `from request to result ${(median(times) / 1_000).toFixed(1)} s in the median, with the wait for the browser`,
)
const peakOfWorker = process.resourceUsage().maxRSS / 1_024
console.log(
  `worker: processor ${((user + system) / 1e6).toFixed(0)} s, peak memory ${peakOfWorker.toFixed(0)} MiB ` +
    `(target: under 700); browser: peak memory ${peakOfBrowser.toFixed(0)} MiB in all its processes`,
)
await browser.close()
pages.close()
server.disconnect()

/** Of all processes that this one has started but the server's, each shared page counted in part. */
async function memoryOfBrowser(): Promise<number> {
  const parents = new Map<number, number>()
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const status = await readFile(`/proc/${name}/status`, 'utf8').catch(() => '')
    parents.set(Number(name), Number(/PPid:\s+(\d+)/.exec(status)?.[1] ?? 0))
  }
  const isOurs = (pid: number): boolean => {
    const parent = parents.get(pid) ?? 0
    return parent === process.pid || (parent > 1 && isOurs(parent))
  }
  let kibibytes = 0
  for (const pid of parents.keys()) {
    if (pid === server.pid || !isOurs(pid)) continue
    const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
    kibibytes += Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0)
  }
  return kibibytes / 1_024
}
