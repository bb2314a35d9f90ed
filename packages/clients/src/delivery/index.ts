export * from './delivery.ts'
