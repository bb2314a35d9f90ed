export * from './columns.ts'
export * from './role.ts'
export * from './routes.ts'
export * from './user.ts'
