/** The questions before a record is changed, under the specification's keys; those of webs are in `actions`. */
export const confirm = {
  delete: 'Are you sure to delete this record?',
  restore: 'Are you sure to restore this record?',
} as const
