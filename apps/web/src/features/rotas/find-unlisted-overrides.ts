import type { Rota, RotaOverride } from '@kustos/contract/rotas'

/**
 * The overrides that decide no listed shift, in the order in which they begin: those that begin after the listed weeks, those that
 * newer ones replace, and those of users who cannot be on call.
 */
export const findUnlistedOverrides = ({
  now,
  next,
  overrides,
}: Pick<Rota, 'now' | 'next' | 'overrides'>): readonly RotaOverride[] => {
  const listed = new Set([now, ...next].map((shift) => shift?.override_id))
  return overrides.filter(({ id }) => !listed.has(id))
}
