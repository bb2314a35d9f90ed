import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type OpenDatabase, openDatabase } from '@kustos/database/client'
import { startEmbedded } from '@kustos/database/embedded'
import { migrate } from '@kustos/database/migrations'
import { ensurePartition } from '@kustos/domain/monitoring'
import { median } from '../median.ts'

/**
 * Measures how a round of a large inventory is read, alternately as before and as now: the webs of its shards by the rest of
 * their id or by a range of ids, and its probes out of a day with or without an index of rounds. The day has as many rounds
 * as are given, without waiting for them.
 */
const webs = Number(process.env.KUSTOS_BENCH_WEBS ?? 100_000)
const rounds = Number(process.env.KUSTOS_BENCH_ROUNDS ?? 30)
const shards = Math.ceil(webs / 250)
const sampledShards = 20
const repetitions = 5
const day = '2026-11-20'

const folder = await mkdtemp(join(tmpdir(), 'kustos-bench-'))
const postgres = await startEmbedded({ folder: join(folder, 'postgres') })
try {
  await migrate(postgres.url)
  const database = openDatabase(postgres.url, { asLogin: true })
  await fill(database)
  await measure(database)
  await database.close()
} finally {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}

async function fill({ db, pool }: OpenDatabase): Promise<void> {
  // A web of the sandbox takes a kilobyte.
  await pool.query(
    `insert into webs (fqdn, fqdn_ascii, customer, configured_ip, status, domain_status, comment)
    select 'w' || n || '.test', 'w' || n || '.test', 'ALPEN', '192.0.2.7', 0, 1, repeat(md5(n::text), 28)
    from generate_series(1, ${webs}) n`,
  )
  await ensurePartition(db, day)
  for (let round = 0; round < rounds; round++)
    await pool.query(
      `insert into statistics (web_id, round_at, created_at, status, response_ms, outcome)
      select id, $1::timestamptz, $1::timestamptz + id * interval '0.6 ms', 200, 40, 'up' from webs`,
      [`${day}T10:${String(round).padStart(2, '0')}:00Z`],
    )
  await pool.query('vacuum analyze')
}

async function measure({ pool }: OpenDatabase): Promise<void> {
  const at = `${day}T10:${String(rounds - 1).padStart(2, '0')}:00Z`
  const columns =
    'w.id, w.fqdn_ascii, w.http_status_code, w.cert_ca, w.cert_expiration, w.down_since, s.outcome'
  const ofShard = (condition: string) =>
    `select ${columns} from webs w left join statistics s on s.web_id = w.id and s.round_at = '${at}'
    where w.deleted_at is null and w.status = 0 and w.domain_status = 1 and w.monitoring_web_active and ${condition}
    order by w.id`
  const readShards = async (conditionOf: (shard: number) => string) => {
    for (let shard = 0; shard < sampledShards; shard++) await pool.query(ofShard(conditionOf(shard)))
  }
  const readRound = `select count(*), count(*) filter (where outcome <> 'up') from statistics where round_at = '${at}'`
  const readWithoutIndex = async () => {
    const client = await pool.connect()
    await client.query('begin; drop index statistics_by_round')
    const started = performance.now()
    await client.query(readRound)
    const ms = performance.now() - started
    await client.query('rollback')
    client.release()
    return ms
  }
  const time = async (work: () => Promise<unknown>) => {
    const started = performance.now()
    await work()
    return performance.now() - started
  }
  const size = Math.ceil(webs / shards)
  const measured = {
    [`webs of ${sampledShards} of ${shards} shards`]: [
      () => time(() => readShards((shard) => `w.id % ${shards} = ${shard}`)),
      () => time(() => readShards((shard) => `w.id > ${shard * size} and w.id <= ${(shard + 1) * size}`)),
    ],
    [`probes of a round out of ${rounds}`]: [readWithoutIndex, () => time(() => pool.query(readRound))],
  } as const
  console.log(`${webs} webs; medians of ${repetitions}, alternately`)
  for (const [name, [before, now]] of Object.entries(measured)) {
    const times: [number[], number[]] = [[], []]
    for (let repetition = 0; repetition <= repetitions; repetition++) {
      const pair = [await before(), await now()] as const
      // The first pair fills the caches.
      if (repetition > 0) for (const index of [0, 1] as const) times[index].push(pair[index])
    }
    const [old = 0, current = 0] = times.map(median)
    console.log(
      `${name}: before ${old.toFixed(1)} ms, now ${current.toFixed(1)} ms, now / before ${(current / old).toFixed(3)}`,
    )
  }
}
