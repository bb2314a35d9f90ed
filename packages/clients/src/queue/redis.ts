import { setTimeout as sleep } from 'node:timers/promises'
import { Cluster, Redis, type RedisOptions } from 'ioredis'
import { decodeCredential } from '../http/decode-credential.ts'

const clusterAddress = /^(?<scheme>rediss?)\+cluster:\/\/(?<login>[^@]*@)?(?<servers>[^@]+)$/

export type ConnectionOptions = Pick<
  RedisOptions,
  'maxRetriesPerRequest' | 'commandTimeout' | 'connectTimeout' | 'lazyConnect' | 'retryStrategy'
>

/**
 * Connects, by default again whenever the connection is lost.
 * @param url one server, as ioredis reads it (`redis://user:password@host:6379`), or some of a Redis Cluster, which tell the
 *   others (`redis+cluster://user:password@host:6379,host:6379`); with `rediss` over TLS
 */
export function openRedis(url: string, options: ConnectionOptions): Redis | Cluster {
  const { scheme, login = '', servers } = clusterAddress.exec(url)?.groups ?? {}
  if (servers === undefined) return new Redis(url, options)
  const { username, password } = new URL(`redis://${login}cluster`)
  const { lazyConnect, retryStrategy, ...each } = options
  return new Cluster(
    servers.split(',').map((server) => {
      const { hostname, port } = new URL(`redis://${server}`)
      return { host: hostname, port: Number(port || 6379) }
    }),
    {
      ...(lazyConnect && { lazyConnect }),
      ...(retryStrategy && { clusterRetryStrategy: retryStrategy }),
      redisOptions: {
        ...each,
        ...(username && { username: decodeCredential(username) }),
        ...(password && { password: decodeCredential(password) }),
        ...(scheme === 'rediss' && { tls: {} }),
      },
      // Certificates name hosts, not addresses.
      ...(scheme === 'rediss' && { dnsLookup: (host, done) => done(null, host) }),
    },
  )
}

/** In a cluster, all keys of a queue must be on one server, which the part in braces decides. */
export const keysOf = (url: string, queue: string): { readonly prefix?: string } =>
  clusterAddress.test(url) ? { prefix: `{kustos-${queue}}` } : {}

/** Whether an error means that Redis is unavailable, starting or full, or cannot save or replicate what is written. */
export const isRedisUnavailable = (error: unknown): boolean =>
  error instanceof Error &&
  /max retries per request|Connection is closed|Command timed out|^LOADING|^OOM |^MISCONF|^NOREPLICAS|isn't writeable|^CLUSTERDOWN|^MASTERDOWN|^READONLY|Cluster redirections|startup nodes|slots cache|^Cluster is disconnect/.test(
    error.message,
  )

/** The facts of a Redis that BullMQ depends on (https://docs.bullmq.io/guide/going-to-production). */
export interface RedisFacts {
  readonly version: string
  /** What happens when the memory is full. */
  readonly policy: string
}

const answerMs = 5_000

/** One of each server that takes writes. @throws if they do not answer */
export async function readRedisFacts(url: string): Promise<readonly RedisFacts[]> {
  const client = openRedis(url, {
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    connectTimeout: answerMs,
  })
  // The one of the command says why.
  client.on('error', () => undefined)
  try {
    // That of a cluster never settles if its servers do not agree.
    const isLate = sleep(answerMs, true, { ref: false })
    if (await Promise.race([client.connect().then(() => false), isLate]))
      throw new Error(`it is not ready after ${answerMs / 1_000} s`)
    const servers = client instanceof Cluster ? client.nodes('master') : [client]
    return await Promise.all(
      servers.map(async (server) => {
        const info = await server.info()
        const field = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1] ?? ''
        return { version: field('redis_version'), policy: field('maxmemory_policy') }
      }),
    )
  } finally {
    client.disconnect()
  }
}
