export { UnreadableFile } from './csv.ts'
export { type ImportReport, importDomains, importEmails } from './import.ts'
export { listEmails, listOwnDomains } from './list.ts'
export { type Synced, syncRegistrar, syncRegistrarWhenDue } from './sync.ts'
