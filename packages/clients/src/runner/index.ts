export * from './runner.ts'
