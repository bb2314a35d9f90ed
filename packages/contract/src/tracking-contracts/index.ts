export * from './input.ts'
export * from './routes.ts'
export * from './shown.ts'
export * from './states.ts'
