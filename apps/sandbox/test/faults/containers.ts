import { execFile } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { openDatabase } from '@kustos/database/client'
import { nodes } from '@kustos/database/tables'
import { paths } from '../../src/paths.ts'
import { seed } from '../../src/seed/index.ts'
import { openJournal } from './journal.ts'
import type { SystemUnderFaults } from './system-under-faults.ts'

const run = promisify(execFile)

/** What `.ci/compose-kills.sh` has started: docker-compose.scaled.yml with e2e/compose/kills.yml. */
export interface ContainerSettings {
  readonly url: string
  readonly databaseUrl: string
  readonly redisUrl: string
  /** Of the journal, which is at the same path on the node. */
  readonly folder: string
  /** What deployments need to know of the node. */
  readonly node: { readonly address: string; readonly hostKey: string }
}

const { COMPOSE_PROJECT_NAME: project = '' } = process.env
/** The services whose containers are killed. */
const services = /^(api|worker|postgres|pgbouncer|redis-\d|edge)-\d+$/

/** Fills the database of a scaled installation. All its nodes are one container. */
export async function startContainers(settings: ContainerSettings): Promise<SystemUnderFaults> {
  const { url, databaseUrl, redisUrl, folder, node } = settings
  const database = openDatabase(databaseUrl, { max: 3, name: 'kustos-faults', asLogin: true })
  await seed(database.db, { webs: 60 })
  await database.db.update(nodes).set({ ssh_host: node.address, host_key: node.hostKey })
  // There are no channels.
  await mkdir(join(folder, 'messages'), { recursive: true })
  await writeFile(join(folder, 'messages/messages.jsonl'), '')
  const programs = [...(await readContainers()).keys()]
  const awaitPid = async (program: string, isDone: (pid: number) => boolean) => {
    for (;;) {
      const pid = (await readContainers()).get(program)?.pid ?? 0
      if (isDone(pid)) return pid
      await sleep(100)
    }
  }
  return {
    url,
    folder,
    database,
    databaseUrl,
    redisUrl,
    journal: await openJournal(join(folder, 'journal'), ['sleep', '1']),
    programs,
    restartedAtOnce: programs,
    async pids() {
      const found = [...(await readContainers())].filter(([program]) => /api|worker/.test(program))
      return new Map(found.map(([program, { pid }]) => [program, pid]))
    },
    async kill(program, signal) {
      const before = await awaitPid(program, (pid) => pid > 0)
      const asked = (await readContainers()).get(program)?.stopSignal ?? signal
      // The engine does not restart what is killed by its own command.
      process.kill(before, signal === 'SIGTERM' ? asked : signal)
      await awaitPid(program, (pid) => pid > 0 && pid !== before)
    },
    async freeze(program, durationMs) {
      const { id = '' } = (await readContainers()).get(program) ?? {}
      const wasRunning = await run('docker', ['pause', id]).then(
        () => true,
        () => false,
      )
      if (!wasRunning) return
      await sleep(durationMs)
      // Unless it was killed meanwhile.
      await run('docker', ['unpause', id]).catch(() => undefined)
    },
    async keepLogs() {
      const kept = join(paths.root, 'test-results', 'faults-containers')
      await rm(kept, { recursive: true, force: true })
      await mkdir(kept, { recursive: true })
      for (const [program, { id }] of await readContainers()) {
        const { stdout, stderr } = await run('docker', ['logs', id], { maxBuffer: 1024 ** 3 })
        await writeFile(join(kept, `${program}.log`), stdout + stderr)
      }
      return kept
    },
    stop: () => database.close(),
  }
}

interface Container {
  readonly id: string
  readonly pid: number
  /** What asks it to stop, if that is not SIGTERM. */
  readonly stopSignal: NodeJS.Signals | undefined
}

/** Those of the Compose project, by service and number. */
async function readContainers(): Promise<ReadonlyMap<string, Container>> {
  const { stdout: list } = await run('docker', [
    'ps',
    '--all',
    '--quiet',
    '--filter',
    `label=com.docker.compose.project=${project}`,
  ])
  const { stdout } = await run('docker', ['inspect', ...list.split('\n').filter(Boolean)])
  const containers = JSON.parse(stdout) as {
    Id: string
    State: { Pid: number }
    Config: { Labels: Readonly<Record<string, string>>; StopSignal?: NodeJS.Signals }
  }[]
  return new Map(
    containers
      .map(
        ({
          Id: id,
          State: { Pid: pid },
          Config: { Labels: labels, StopSignal: stopSignal },
        }): [string, Container] => [
          `${labels['com.docker.compose.service']}-${labels['com.docker.compose.container-number']}`,
          { id, pid, stopSignal },
        ],
      )
      .filter(([name]) => services.test(name)),
  )
}

/** @returns null unless `.ci/compose-kills.sh` runs the tests */
export async function readContainerSettings(): Promise<ContainerSettings | null> {
  const { KUSTOS_FAULTS_CONTAINERS: file } = process.env
  return file ? (JSON.parse(await readFile(file, 'utf8')) as ContainerSettings) : null
}
