export * from './code.ts'
export * from './customer.ts'
export * from './details.ts'
export * from './routes.ts'
