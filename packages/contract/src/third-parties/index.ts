export * from './routes.ts'
export * from './states.ts'
export * from './third-party.ts'
