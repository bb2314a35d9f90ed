export * from './log.ts'
export * from './revert.ts'
export * from './routes.ts'
