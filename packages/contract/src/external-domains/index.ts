export * from './domain-lines.ts'
export * from './domain-name.ts'
export * from './external-domain.ts'
export * from './routes.ts'
