/** The questions before a record is changed, under the specification's keys; those of webs are in `actions`. */
export const confirm = {
  delete: 'Are you sure to delete this record?',
  deleteNamed: {
    alertRoute: 'Delete the alert route “{{name}}”?',
    channel: 'Delete the channel “{{name}}”?',
    maintenance: 'Delete the maintenance window “{{name}}”?',
    node: 'Delete the node “{{name}}”?',
    role: 'Delete the role “{{name}}”?',
    rota: 'Delete the rota “{{name}}”?',
    tag: 'Delete the tag “{{name}}”?',
  },
  endSessions: 'End all sessions of this user?',
  restore: 'Are you sure to restore this record?',
} as const
