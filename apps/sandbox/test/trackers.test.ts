import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installedBrowser, openBrowser } from '@kustos/clients/browser'
import { openPageFetcher } from '@kustos/clients/page'
import { isCurrent, nothingFound, type TrackingData } from '@kustos/contract/webs'
import { auditPage, mergeTracking } from '@kustos/domain/tracking'
import { expect, onTestFinished, test } from 'vitest'
import { createRandom } from '../src/seed/random.ts'
import { createTrackingData } from '../src/seed/tracking.ts'
import { startSites } from '../src/sites/index.ts'

const now = new Date()
const seconds = Math.floor(now.getTime() / 1000)

/** The current part of the tracking data, with the time of this run. */
function selectCurrent(tracking: TrackingData): TrackingData {
  const services = Object.entries(tracking.tracking_services).map(([name, found]) => [
    name,
    found
      .filter(({ timestamp }) => isCurrent(timestamp, seconds))
      .map((service) => ({ ...service, timestamp: seconds })),
  ])
  return { ...tracking, tracking_services: Object.fromEntries(services) as TrackingData['tracking_services'] }
}

/** Runs the sites of webs, and gives the settings by which clients reach them. */
async function withSites<T>(
  webs: ReadonlyMap<string, TrackingData>,
  work: (reach: { readonly connectTo: string; readonly authorities: readonly string[] }) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'kustos-trackers-'))
  await mkdir(join(folder, 'nodes'))
  const sites = await startSites({
    folder: join(folder, 'authority'),
    nodesFolder: join(folder, 'nodes'),
    webs: new Map(
      [...webs].map(([host, tracking]) => [
        host,
        { fqdn: host, customer: 'A', framework: null, topics: [], tracking },
      ]),
    ),
  })
  try {
    return await work({
      // All names lead to this machine.
      connectTo: `:443:127.0.0.1:${sites.ports.tls},:80:127.0.0.1:${sites.ports.http}`,
      authorities: [await readFile(sites.authorityFile, 'utf8')],
    })
  } finally {
    await sites.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

test('an audit of a hosted web finds the trackers of its page', async () => {
  const hosts = Array.from({ length: 60 }, (_, index) => `www.haus-${index}.test`)
  const expected = new Map(
    hosts.map((host, index) => [
      host,
      index === 0 ? nothingFound : selectCurrent(createTrackingData(createRandom(index), host, now)),
    ]),
  )
  await withSites(expected, async (reach) => {
    const pages = openPageFetcher(reach)
    onTestFinished(() => pages.close())
    const audits = new Map<string, unknown>()
    const queue = hosts.values()
    // A worker audits few pages at once as well; an audit has a deadline.
    const auditNext = async () => {
      for (const host of queue) {
        const visit = pages.visit()
        const audit = await auditPage({ visit, browser: null }, host)
        await visit.end()
        audits.set(host, { problems: audit.problems, ...mergeTracking(null, audit, seconds) })
      }
    }
    await Promise.all(Array.from({ length: 5 }, auditNext))
    expect(Object.fromEntries(audits)).toEqual(
      Object.fromEntries([...expected].map(([host, tracking]) => [host, { problems: [], ...tracking }])),
    )
  })
})

const executable = await installedBrowser(process.env)

test.skipIf(executable === null)(
  'an audit in a browser says on which page and for whom a hosted web tracks (skipped without a Chromium)',
  async () => {
    const hosts = ['www.tischlerei-unterholzner.test', 'www.physio-am-inn.test', 'www.gemeinde-tschars.test']
    const found = await withSites(new Map(hosts.map((host) => [host, nothingFound])), async (reach) => {
      const pages = openPageFetcher(reach)
      const browser = openBrowser({ ...reach, executable: executable ?? '', sandbox: 'optional', atOnce: 3 })
      onTestFinished(async () => {
        pages.close()
        await browser.close()
      })
      return await Promise.all(
        hosts.map(async (host) => {
          const visit = pages.visit()
          const { visit: seen } = await auditPage({ visit, browser }, host)
          await visit.end()
          return seen?.asked
            .filter((request) => request.host !== host)
            .map(({ host, verdict, stop }) => [host, verdict, stop?.page, stop?.path, stop?.visitor])
        }),
      )
    })
    expect(found).toEqual([
      [['www.facebook.com', 'violation', 'contact', '/kontakt/', 'desktop']],
      [['analytics.tiktok.com', 'violation', 'start', '/', 'english_mobile']],
      [['www.google.com', 'review', 'contact', '/kontakt/', 'desktop']],
    ])
  },
)
