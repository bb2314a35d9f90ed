export { logWith } from './around.ts'
export { sentenceOf } from './facts.ts'
export { openLog } from './open.ts'
export { secretsOf } from './secrets.ts'
