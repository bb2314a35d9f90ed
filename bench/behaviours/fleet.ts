import { type SiteBehaviour, siteBehaviours } from '@kustos/clients/testing/behaviours'

export const domain = 'behaviours.test'

/**
 * @param only the name of the behaviour that all sites have; otherwise those of the table in turn
 * @returns the behaviours of so many sites by host
 */
export function formFleet(count: number, only?: string): ReadonlyMap<string, SiteBehaviour> {
  const behaviours = siteBehaviours.filter(({ name }) => only === undefined || name === only)
  const fleet = new Map<string, SiteBehaviour>()
  for (let copy = 0; fleet.size < count; copy++)
    for (const site of behaviours.slice(0, count - fleet.size))
      fleet.set(`${site.name}-${copy}.${domain}`, site)
  return fleet
}
