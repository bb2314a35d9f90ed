export * from './rota.ts'
export * from './routes.ts'
export * from './states.ts'
