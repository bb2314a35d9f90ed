import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPageFetcher } from '@kustos/clients/page'
import { isCurrent, nothingFound, type TrackingData } from '@kustos/contract/webs'
import { auditPage, mergeTracking } from '@kustos/domain/tracking'
import { expect, test } from 'vitest'
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

test('an audit of a hosted web finds the trackers of its page', async () => {
  const hosts = Array.from({ length: 60 }, (_, index) => `www.haus-${index}.test`)
  const expected = new Map(
    hosts.map((host, index) => [
      host,
      index === 0 ? nothingFound : selectCurrent(createTrackingData(createRandom(index), host, now)),
    ]),
  )
  const folder = await mkdtemp(join(tmpdir(), 'kustos-trackers-'))
  await mkdir(join(folder, 'nodes'))
  const sites = await startSites({
    folder: join(folder, 'authority'),
    nodesFolder: join(folder, 'nodes'),
    webs: new Map(
      [...expected].map(([host, tracking]) => [
        host,
        { fqdn: host, customer: 'A', framework: null, topics: [], tracking },
      ]),
    ),
  })
  const pages = openPageFetcher({
    // All names lead to this machine.
    connectTo: `:443:127.0.0.1:${sites.ports.tls},:80:127.0.0.1:${sites.ports.http}`,
    authorities: [await readFile(sites.authorityFile, 'utf8')],
  })
  try {
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
  } finally {
    pages.close()
    await sites.stop()
    await rm(folder, { recursive: true, force: true })
  }
})
