export * from './channel.ts'
export * from './columns.ts'
export * from './routes.ts'
export * from './states.ts'
