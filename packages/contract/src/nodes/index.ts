export * from './node.ts'
export * from './routes.ts'
