export { createExternalDomain, deleteExternalDomain, editExternalDomain } from './change-domain.ts'
export { checkKnownDomains, checkNewDomains } from './check.ts'
export { judgeDomain, ourAddresses } from './judge.ts'
export { listExternalDomains } from './list.ts'
