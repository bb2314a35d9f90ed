export { type QueueSettings, queueConnections } from './backend.ts'
export * from './queue-workers.ts'
export * from './queues.ts'
export { isRedisUnavailable, readRedisFacts } from './redis.ts'
