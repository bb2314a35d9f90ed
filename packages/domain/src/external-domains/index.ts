export { createExternalDomain, deleteExternalDomain, editExternalDomain } from './change-domain.ts'
export { listExternalDomains } from './list.ts'
