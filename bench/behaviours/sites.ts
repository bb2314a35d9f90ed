import { type Minute, startBehavingSites } from '@kustos/clients/testing/behaviours'
import { domain, formFleet } from './fleet.ts'

/** Serves the fleet in its own process. Messages to it set the minute. */
const sites = await startBehavingSites(formFleet(Number(process.argv[2])), {
  domain,
  ports: { secure: 443, plain: 80 },
})
process.on('message', (minute: Minute) => sites.setMinute(minute))
process.once('disconnect', () => process.exit(0))
process.send?.({ authority: sites.authority, dnsServer: sites.dnsServer, hasIpv6: sites.hasIpv6 })
