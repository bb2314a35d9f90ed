export { logWith } from './around.ts'
export { openLog } from './open.ts'
export { secretsOf } from './secrets.ts'
