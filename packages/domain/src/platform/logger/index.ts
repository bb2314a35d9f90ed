export { logWith, openLog } from './logger.ts'
export { describeError } from './serialize-error.ts'
