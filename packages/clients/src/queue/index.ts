export { isRedisAway, type QueueSettings } from './backend.ts'
export * from './queue.ts'
export * from './worker.ts'
