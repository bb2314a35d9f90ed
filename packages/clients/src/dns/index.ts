export type { Dns, DnsResult as Looked, DnsSettings } from './dns.ts'
export { openDns } from './open-dns.ts'
