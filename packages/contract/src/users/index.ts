export * from './current-user.ts'
export * from './role.ts'
export * from './routes.ts'
export * from './user.ts'
