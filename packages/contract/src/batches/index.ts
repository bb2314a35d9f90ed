export * from './actions.ts'
export * from './batch.ts'
export * from './routes.ts'
