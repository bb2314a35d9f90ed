export * from './discovery.ts'
export * from './node.ts'
export * from './overview.ts'
export * from './routes.ts'
