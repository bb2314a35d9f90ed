export * from './columns.ts'
export * from './incident.ts'
export * from './routes.ts'
export * from './timeline.ts'
