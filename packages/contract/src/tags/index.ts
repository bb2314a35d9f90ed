export * from './carried.ts'
export * from './routes.ts'
export * from './states.ts'
export * from './tag.ts'
