import { type Minute, startBehavingSites } from '@kustos/clients/testing/behaviours'
import { domain, formFleet } from './fleet.ts'

/** Serves the fleet in its own process. Messages to it set the minute, of one host or of all. */
const [count, only] = process.argv.slice(2)
const sites = await startBehavingSites(formFleet(Number(count), only), {
  domain,
  ports: { secure: 443, plain: 80 },
})
process.on('message', ({ minute, host }: { minute: Minute; host?: string }) => sites.setMinute(minute, host))
process.once('disconnect', () => process.exit(0))
process.send?.({ authority: sites.authority, dnsServer: sites.dnsServer, hasIpv6: sites.hasIpv6 })
