export type { Dns, DnsSettings, Looked } from './dns.ts'
export { openDns } from './open-dns.ts'
