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
  test: {
    label: 'Test connection',
    title: 'Connection to {{node}}',
    failed: 'The connection could not be tested',
    running: 'Being tested',
    again: 'Test again',
    checks: {
      panel: 'API of the panel',
      ssh: 'Sign-in over SSH',
      plesk: 'Plesk’s command line',
    },
    states: { ok: 'Works', failed: 'Fails', untried: 'Not tested' },
    key: 'The node presents this host key',
    compare:
      'Compare it with “ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub” on the node before you trust it.',
    compareChanged:
      'It differs from the one that is stored. If the node was not reinstalled, another machine may be answering in its place. Compare it with “ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub” on the node.',
    trust: 'Trust this key',
    trusted: 'host key stored',
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
      ssh_user: 'If not SSH_USER, usually root',
      host_key: 'Or test the connection and confirm what it shows',
    },
  },
} as const
