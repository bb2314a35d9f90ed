export * from './telegram.ts'
