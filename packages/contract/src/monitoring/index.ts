export * from './health.ts'
export * from './monitoring.ts'
export * from './routes.ts'
