/** Whether Postgres can store a date as JavaScript writes it: years outside of these have another form there. */
export function isStorableDate(date: Date): boolean {
  const year = date.getUTCFullYear()
  return year >= 1 && year <= 9999
}
