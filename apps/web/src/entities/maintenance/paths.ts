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
