/** Whether Postgres can store a date as JavaScript writes it: years outside this range have another form there. */
export function isStorableDate(date: Date): boolean {
  const year = date.getUTCFullYear()
  return year >= 1 && year <= 9999
}

/** Whether a date of a registration means that there is none, such as 0001-01-01 or 1970-01-01: all registrations are younger. */
export const isZeroDate = (date: Date): boolean => date.getTime() <= 0
