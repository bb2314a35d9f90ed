export * from './limitis.ts'
export * from './routes.ts'
