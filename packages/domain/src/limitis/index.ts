export { listEmails, listOwnDomains } from './list.ts'
