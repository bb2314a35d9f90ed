export * from './monitoring.ts'
export * from './routes.ts'
