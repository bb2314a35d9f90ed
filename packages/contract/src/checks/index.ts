export * from './check.ts'
export * from './routes.ts'
export * from './states.ts'
export * from './statuses.ts'
