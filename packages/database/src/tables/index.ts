export * from './auth.ts'
export * from './logs.ts'
export * from './users.ts'
export * from './webs.ts'
