/** The questions before an action on a record or a web, under the specification's keys. */
export const confirm = {
  delete: 'Are you sure to delete this record?',
  restore: 'Are you sure to restore this record?',
  update: 'Update this web to the newest state of its repository?',
  exportDatabase: 'Export the database of this web? Its last export is replaced.',
  importDatabase:
    'Import the last export into the database of this web? Everything in the database is overwritten.',
  backup: 'Back up the files and the database of this web?',
  refresh: 'Read the facts of this web anew from Plesk, name servers and its page?',
} as const
