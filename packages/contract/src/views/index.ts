export * from './lists.ts'
export * from './notifications.ts'
export * from './routes.ts'
export * from './view.ts'
