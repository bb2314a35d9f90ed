export * from './entry.ts'
export * from './kinds.ts'
export * from './routes.ts'
