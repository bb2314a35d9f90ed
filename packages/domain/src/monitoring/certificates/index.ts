export { checkCertificates } from './check-certificates.ts'
export { listCertificateEntries } from './history.ts'
export { listWebCertificates } from './list.ts'
export { isOtherCertificate } from './same-certificate.ts'
