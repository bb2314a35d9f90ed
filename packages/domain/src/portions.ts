/** Rows by the thousand: a statement takes 65,535 parameters at most. */
export function portions<T>(rows: readonly T[], size = 1000): T[][] {
  return Array.from({ length: Math.ceil(rows.length / size) }, (_, i) => rows.slice(i * size, (i + 1) * size))
}
