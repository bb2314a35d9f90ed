export { isRedisUnavailable, type QueueSettings, queueConnections } from './backend.ts'
export * from './queue-workers.ts'
export * from './queues.ts'
