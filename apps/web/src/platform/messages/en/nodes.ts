/** Texts of `features/nodes`. */
export const nodes = {
  add: 'Add node',
  edit: 'Edit',
  delete: 'Delete',
  deleteMeaning: 'Nothing is changed on the node itself.',
  empty: 'No nodes yet',
  emptyHint: 'The Plesk servers that your webs are on appear here.',
  dialog: {
    edit: 'Edit {{node}}',
    save: 'Save',
  },
  fields: {
    labels: {
      plesk_port: 'Panel port',
      plesk_certificate: 'Certificate fingerprint',
      ssh_host: 'SSH host',
      ssh_port: 'SSH port',
      ssh_user: 'SSH user',
      cloud_enabled: 'Allow deployments',
    },
    hints: {
      plesk_key: 'From plesk bin secret_key -c; never shown again',
      plesk_key_kept: 'Empty keeps the stored key',
      plesk_certificate: 'SHA-256, for a self-signed certificate',
      ssh_host: 'If not the panel’s',
      host_key: 'A line of ssh-keyscan that you have checked',
    },
  },
} as const
