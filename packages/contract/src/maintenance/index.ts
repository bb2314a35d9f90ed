export * from './columns.ts'
export * from './routes.ts'
export * from './states.ts'
export * from './window.ts'
