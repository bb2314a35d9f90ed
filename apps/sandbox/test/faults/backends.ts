import { spawnSync } from 'node:child_process'
import { type RedisProgram, startRedisCluster, startRedisProgram } from '@kustos/database/testing'

export type Backend = 'postgres' | 'redis' | 'cluster'

const hasRedis = spawnSync('redis-server', ['--version']).status === 0
const named = process.env.KUSTOS_FAULTS_BACKEND

/** Where the jobs are: the one that is named (`--backend cluster`), which then must be available, or Postgres and one Redis. */
export const backends = (['postgres', 'redis', 'cluster'] as const).filter((backend) =>
  named ? named === backend : backend === 'postgres' || (backend === 'redis' && hasRedis),
)

/** @returns null for jobs in Postgres */
export async function startBackend(backend: Backend): Promise<RedisProgram | null> {
  if (backend === 'postgres') return null
  const redis = await (backend === 'redis' ? startRedisProgram() : startRedisCluster())
  if (redis === null) throw new Error('There is no redis-server')
  return redis
}
