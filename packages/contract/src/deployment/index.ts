export * from './deployment.ts'
export * from './request.ts'
export * from './routes.ts'
