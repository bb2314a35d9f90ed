import { type SiteBehaviour, siteBehaviours } from '@kustos/clients/testing/behaviours'

export const domain = 'behaviours.test'

/** @returns the behaviours of so many sites by host: those of the table in turn */
export function formFleet(count: number): ReadonlyMap<string, SiteBehaviour> {
  const fleet = new Map<string, SiteBehaviour>()
  for (let copy = 0; fleet.size < count; copy++)
    for (const site of siteBehaviours.slice(0, count - fleet.size))
      fleet.set(`${site.name}-${copy}.${domain}`, site)
  return fleet
}
