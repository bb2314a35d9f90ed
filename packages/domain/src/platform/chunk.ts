/** Splits rows into statements, since Postgres takes at most 65,535 parameters in one. */
export function chunk<T>(rows: readonly T[], size = 1000): T[][] {
  return Array.from({ length: Math.ceil(rows.length / size) }, (_, i) => rows.slice(i * size, (i + 1) * size))
}
