export { logWith } from './bindings.ts'
export { openLog } from './logger.ts'
export { secretsOf } from './secrets.ts'
export { describeError } from './serialize-error.ts'
