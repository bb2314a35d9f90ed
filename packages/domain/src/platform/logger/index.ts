export { logWith, openLog } from './logger.ts'
export { secretsOf } from './secrets.ts'
export { describeError } from './serialize-error.ts'
