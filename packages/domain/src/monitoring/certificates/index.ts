export { checkCertificates } from './check-certificates.ts'
export { listWebCertificates } from './list.ts'
