export { isRedisUnavailable, type QueueSettings, queueConnections, readRedisFacts } from './backend.ts'
export * from './queue-workers.ts'
export * from './queues.ts'
