import { afterAll, afterEach, expect } from 'vitest'
import { openProber, type Prober, type ProberSettings } from '../src/probe/prober.ts'
import { makeAuthority } from './probe-certificates.ts'
import { type Behaviour, startSite } from './probe-sites.ts'

/** A site over TLS, and probers that connect to it and trust its authority. Call it at the top of a test file. */
export async function openProbedSite() {
  const authority = await makeAuthority('O=Tyrol Trust, CN=Tyrol Trust R1')
  const site = await startSite({ credentials: await authority.issue({ names: ['web.test'] }) })
  const probers: Prober[] = []
  afterEach(() => Promise.all(probers.splice(0).map((prober) => prober.close())))
  afterAll(() => site.stop())

  function open(settings: ProberSettings = {}): Prober {
    const prober = openProber({
      connectTo: `::127.0.0.1:${site.port}`,
      authorities: [authority.cert],
      deadlineMs: 5_000,
      ...settings,
    })
    probers.push(prober)
    return prober
  }
  const lastVisit = () => site.visits.at(-1)
  return {
    authority,
    site,
    open,
    async probe(behaviour: Behaviour, settings?: ProberSettings) {
      site.behave(behaviour)
      return await open(settings).probe('web.test')
    },
    lastVisit,
    /** The site notices a closed connection a moment later. */
    waitForClose: () => expect.poll(() => lastVisit()?.closed).toBe(true),
  }
}
