import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDns } from '@kustos/clients/dns'
import { openPlesk } from '@kustos/clients/plesk'
import { openLocalRunners, type Runners } from '@kustos/clients/runner'
import { startDnsServer } from '@kustos/clients/testing/dns'
import { startPleskServer } from '@kustos/clients/testing/plesk-server'
import { inspections, nodes, webs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { afterAll, beforeEach, expect, onTestFinished, vi } from 'vitest'
import {
  executeInspection,
  type InspectionTools,
  type Inspectors,
  requestInspection,
} from '../src/inspections/index.ts'
import { discoverWebs, readDiscovery, takeOverWebs } from '../src/nodes/index.ts'
import { createContext } from '../src/platform/context.ts'

type Query = 'login' | 'php' | 'pname' | 'data_bases' | 'www_root'

export const panelRows = {
  login: '1\\t0\\thotel_1\\n3\\t16\\tberg_1\\n',
  php: '1\\tplesk-php83-fpm\\n3\\tfpm\\n',
  pname: '1\\tALPENHOF\\n3\\tNULL\\n',
  data_bases: '1\\thotel_db\\n1\\thotel_old\\n',
}

/** Each file needs its own: files share a process, and with it what a module has opened. */
export async function startDiscovery() {
  const database = await testDatabase()
  const { db } = database
  const clock = new Date('2026-11-20T10:00:00Z')
  const context = createContext(database, null, () => clock)
  const folder = await mkdtemp(join(tmpdir(), 'kustos-discovery-'))
  const panel = await startPleskServer('panel.test')
  const names = await startDnsServer({ 'panel.test': { A: ['192.0.2.9'] } })
  const plesk = openPlesk({ keys: { n1: 'secret' }, connectTo: `panel.test:8443:127.0.0.1:${panel.port}` })
  const runners = openLocalRunners({ folder: join(folder, 'nodes') })
  const dns = openDns({ servers: [names.server] })
  afterAll(async () => {
    await Promise.all([plesk.close(), panel.stop(), runners.close(), names.stop()])
    dns.close()
    await rm(folder, { recursive: true, force: true })
  })
  const jobs: unknown[] = []
  const tools = {
    queues: {
      addAll: (_: unknown, added: readonly unknown[]) => Promise.resolve(void jobs.push(...added)),
      add: () => Promise.resolve(),
      hasPendingJob: () => Promise.resolve(true),
      promote: () => Promise.resolve(),
    },
    onError: (error: Error) => expect.fail(error.message),
  } as unknown as InspectionTools

  /** As Plesk's command line prints the rows of each query. */
  async function installPlesk(rows: Partial<Record<Query, string>>) {
    const cases = Object.entries(rows).map(([word, text]) => `*${word}*) printf '${text}' ;;`)
    await writeFile(join(folder, 'plesk'), `#!/bin/sh\ncase "$*" in ${cases.join(' ')} esac\n`)
    await chmod(join(folder, 'plesk'), 0o755)
  }

  let node = 0
  beforeEach(async () => {
    jobs.length = 0
    vi.stubEnv('PATH', `${folder}:${process.env.PATH}`)
    onTestFinished(() => void vi.unstubAllEnvs())
    await db.delete(inspections)
    await db.delete(webs)
    await db.delete(nodes)
    const [row] = await db
      .insert(nodes)
      .values({ name: 'n1', plesk_fqdn: 'panel.test', plesk_certificate: panel.fingerprint })
      .returning()
    node = row?.id ?? 0
    panel.responses.set('GET /api/v2/domains', [
      { id: 1, name: 'hotel.test', base_domain_id: 0, aliases: [{ name: 'hotel.example' }] },
      { id: 2, name: 'shop.hotel.test', base_domain_id: 1, aliases: [] },
      { id: 3, name: 'berg.test', base_domain_id: 0, aliases: [] },
      { id: 4, name: 'bad_name..test', base_domain_id: 0, aliases: [] },
    ])
    await installPlesk(panelRows)
  })

  async function discover(nodeRunners: Runners = runners) {
    const id = await requestInspection(context, tools, 'discovery', node)
    const refused = () => expect.fail('is not requested')
    const inspectors: Inspectors = {
      refresh: refused,
      tracking: refused,
      connection: refused,
      discovery: (leased, nodeId, signal) =>
        discoverWebs(
          leased,
          { plesk, runners: nodeRunners, secretBox: null, secrets: [], dns },
          nodeId,
          signal,
        ),
      onError: (error) => expect.fail(error.message),
    }
    await executeInspection(context, inspectors, id, new AbortController().signal)
    jobs.length = 0
    return await readDiscovery(context, node)
  }

  const takeOver = (...chosen: { fqdn: string; customer?: string }[]) =>
    takeOverWebs(context, tools, node, { webs: chosen })

  return {
    ...{ database, clock, context, folder, panel, runners, jobs, tools },
    ...{ installPlesk, discover, takeOver },
    /** The id of the node, which is new in each test. */
    get node() {
      return node
    },
  }
}
