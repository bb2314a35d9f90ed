export * from './found.ts'
export * from './routes.ts'
