export type { Dns, DnsResult, DnsSettings } from './dns.ts'
export { openDns } from './open-dns.ts'
