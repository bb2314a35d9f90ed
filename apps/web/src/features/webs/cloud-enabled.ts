import type { Node, Web } from '@kustos/contract/webs'

/** Whether deployment actions may run on a web's node. */
export function isCloudEnabled({ node }: Pick<Web, 'node'>, nodes: readonly Node[] = []): boolean {
  return nodes.some(({ name, cloud_enabled }) => name === node && cloud_enabled)
}
