export { createExternalDomain, deleteExternalDomain, editExternalDomain } from './change-domain.ts'
export { checkKnownDomains, checkNewDomains } from './check.ts'
export { createNodeAddresses, determineDomainState } from './domain-state.ts'
export { listExternalDomains, presentExternalDomain } from './list.ts'
