export * from './slack.ts'
