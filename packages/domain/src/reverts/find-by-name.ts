import { conflict } from '../platform/errors.ts'

/** @returns a function that throws DomainError conflict for a name that nothing has any more, or several have */
export function finderOf(
  rows: readonly { readonly id: number; readonly name: string }[],
  gone: 'alert_channel_gone' | 'alert_route_gone' | 'rota_gone' | 'user_gone' | 'role_gone' | 'web_gone',
) {
  const byName = Map.groupBy(rows, ({ name }) => name)
  return (name: string): number => {
    const [found, other] = byName.get(name) ?? []
    if (found === undefined || other !== undefined) throw conflict(gone, { name })
    return found.id
  }
}
