export { isRedisUnavailable, type QueueSettings } from './backend.ts'
export * from './queue-workers.ts'
export * from './queues.ts'
