import { afterAll } from 'vitest'
import { findEngine } from './engine.ts'
import { type RedisProgram, startRedisCluster, startRedisProgram } from './redis-program.ts'

export type TestRedis = Pick<RedisProgram, 'url' | 'stop'>

/**
 * A Redis for one test file, stopped after its last test: in a container if a container engine responds, otherwise the
 * `redis-server` on the PATH; null if there is neither.
 */
export async function testRedis(): Promise<TestRedis | null> {
  const engine = await findEngine()
  const redis = engine === null ? await startRedisProgram() : await startContainer(engine).catch(startInstead)
  if (redis) afterAll(() => redis.stop())
  return redis
}

/** A Redis Cluster for one test file, stopped after its last test; null without the `redis-server` on the PATH. */
export async function testRedisCluster(): Promise<TestRedis | null> {
  const cluster = await startRedisCluster()
  if (cluster) afterAll(() => cluster.stop())
  return cluster
}

/** An engine may be unable to reach its registry. */
function startInstead(error: unknown): Promise<TestRedis | null> {
  process.stderr.write(`The container engine cannot start Redis (${String(error)}): using the program.\n`)
  return startRedisProgram()
}

async function startContainer(engine: string): Promise<TestRedis> {
  process.env.DOCKER_HOST ??= engine
  if (engine.includes('podman')) process.env.TESTCONTAINERS_RYUK_DISABLED ??= 'true'
  const { GenericContainer } = await import('testcontainers')
  const container = await new GenericContainer('redis:8-bookworm').withExposedPorts(6379).start()
  return {
    url: `redis://${container.getHost()}:${container.getMappedPort(6379)}`,
    stop: async () => {
      await container.stop()
    },
  }
}
