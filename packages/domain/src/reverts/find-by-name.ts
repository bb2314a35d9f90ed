import { conflict } from '../platform/errors.ts'

/**
 * @param ambiguous if several can have the same name
 * @returns a function that throws DomainError conflict for a name that nothing has any more, or several have
 */
export function finderOf(
  rows: readonly { readonly id: number; readonly name: string }[],
  gone: 'alert_channel_gone' | 'alert_route_gone' | 'rota_gone' | 'user_gone' | 'role_gone' | 'web_gone',
  ambiguous?: 'alert_route_ambiguous' | 'rota_ambiguous' | 'web_ambiguous',
) {
  const byName = Map.groupBy(rows, ({ name }) => name)
  return (name: string): number => {
    const [found, other] = byName.get(name) ?? []
    if (found === undefined) throw conflict(gone, { name })
    if (other !== undefined) throw conflict(ambiguous ?? gone, { name })
    return found.id
  }
}
