/** Texts of `features/logs`, and of what pages show of the log (`app/logs`). */
export const logs = {
  by: 'by {{causer}}',
  byKustos: 'by Kustos or a visitor',
  more_one: '+{{count}} more',
  more_other: '+{{count}} more',
  whole: 'Show the whole',
  showAll: 'Show all in the log',
  values: { yes: 'yes', no: 'no' },
} as const
