import { maintenancePath } from '@kustos/contract/maintenance'

interface Targets {
  /** Ids. */
  readonly webs?: readonly number[]
  readonly node?: string
  readonly customer?: string
  readonly tag?: string
}

/** The screen of maintenance windows with the form for a new one, which covers these. */
export function planMaintenancePath({ webs, ...names }: Targets): string {
  const query = new URLSearchParams({ plan: '1', ...names, ...(webs && { webs: webs.join(',') }) })
  return `${maintenancePath}?${query}`
}

/** The same for any number of webs, which would be too long for an address: the state goes with the navigation. */
export const planMaintenanceOfMany = (webs: readonly number[]) => ({
  path: planMaintenancePath({}),
  state: { webs },
})

/** The ids of webs in the state of a navigation. */
export function readPlannedWebs(state: unknown): readonly string[] {
  if (typeof state !== 'object' || state === null || !('webs' in state) || !Array.isArray(state.webs))
    return []
  return state.webs.filter((id) => Number.isInteger(id)).map(String)
}
