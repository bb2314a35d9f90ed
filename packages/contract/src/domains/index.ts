export * from './records.ts'
export * from './routes.ts'
export * from './states.ts'
