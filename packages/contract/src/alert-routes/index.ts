export * from './alert-route.ts'
export * from './routes.ts'
export * from './states.ts'
