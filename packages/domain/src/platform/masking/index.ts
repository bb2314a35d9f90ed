export { secretsOf } from './known-secrets.ts'
export { createMask, type Mask } from './mask.ts'
export { maskArguments, secretsIn } from './patterns.ts'
export { createRedactor } from './redactor.ts'
