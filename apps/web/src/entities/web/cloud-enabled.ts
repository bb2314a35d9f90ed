import type { Node, Web } from '@kustos/contract/webs'

export function isCloudEnabled({ node }: Pick<Web, 'node'>, nodes: readonly Node[] = []): boolean {
  return nodes.some(({ name, cloud_enabled }) => name === node && cloud_enabled)
}
