export * from './columns.ts'
export * from './monitoring.ts'
export * from './routes.ts'
