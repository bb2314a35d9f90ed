export * from './bitbucket.ts'
