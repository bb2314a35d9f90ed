/** Texts of `features/nodes`. */
export const nodes = {
  add: 'Add node',
  edit: 'Edit',
  delete: 'Delete',
  deleteMeaning: 'Kustos no longer reaches this node. Nothing is changed on it.',
  empty: 'No nodes yet',
  emptyHint: 'Add the first Plesk server that your webs are on.',
  done: { created: 'added', saved: 'saved', deleted: 'deleted' },
  dialog: {
    add: 'Add node',
    edit: 'Edit {{node}}',
    create: 'Add',
    save: 'Save',
    showKey: 'Show or hide the key',
  },
  fields: {
    labels: {
      plesk_port: 'Port of the panel',
      plesk_key: 'API key of the panel',
      plesk_certificate: 'Certificate fingerprint',
      ssh_host: 'SSH host',
      ssh_port: 'SSH port',
      ssh_user: 'SSH user',
      cloud_enabled: 'Deployments may run on this node',
    },
    hints: {
      plesk_fqdn: 'Host name or address of its Plesk',
      plesk_key: 'From plesk bin secret_key -c; never shown again',
      plesk_key_kept: 'Empty keeps the stored key',
      plesk_certificate: 'SHA-256, for a self-signed certificate',
      ssh_host: 'If not the panel’s',
      ssh_user: 'If not the usual one',
      host_key: 'A line of ssh-keyscan that you have checked',
      address: 'If not the panel’s',
    },
  },
} as const
