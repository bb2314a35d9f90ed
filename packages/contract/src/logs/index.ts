export * from './log.ts'
export * from './routes.ts'
