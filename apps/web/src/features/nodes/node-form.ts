import type { NodeDetails } from '@kustos/contract/nodes'

export const emptyForm = {
  name: '',
  plesk_fqdn: '',
  plesk_port: null as number | null,
  plesk_certificate: '',
  plesk_key: '',
  ssh_host: '',
  ssh_port: null as number | null,
  ssh_user: '',
  host_key: '',
  address: '',
  cloud_enabled: false,
  tags: [] as readonly string[],
}
export type NodeForm = typeof emptyForm

export const toForm = (node: NodeDetails): NodeForm => ({
  name: node.name,
  plesk_fqdn: node.plesk_fqdn,
  plesk_port: node.plesk_port,
  plesk_certificate: node.plesk_certificate ?? '',
  // The stored key is never sent; blank keeps it.
  plesk_key: '',
  ssh_host: node.ssh_host ?? '',
  ssh_port: node.ssh_port,
  ssh_user: node.ssh_user ?? '',
  host_key: node.host_key ?? '',
  address: node.address ?? '',
  cloud_enabled: node.cloud_enabled,
  tags: node.tags,
})

export const toBody = (form: NodeForm) => ({ ...form, tags: [...form.tags] })

/** The body of a change that keeps everything but what differs in `node`. */
export const toUnchangedBody = (node: NodeDetails) => ({
  ...toBody(toForm(node)),
  updated_at: node.updated_at,
})
