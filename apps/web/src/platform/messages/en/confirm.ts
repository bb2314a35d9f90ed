/** The questions before a record is changed, under the specification's keys; those of webs are in `actions`. */
export const confirm = {
  delete: 'Are you sure to delete this record?',
  endSessions: 'End all sessions of this user?',
  restore: 'Are you sure to restore this record?',
} as const
