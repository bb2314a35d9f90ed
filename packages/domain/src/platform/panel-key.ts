import { message } from '@kustos/contract/messages'
import { invalid } from './errors.ts'
import { createMask, type Mask } from './masking/index.ts'
import type { SecretBox } from './secret-box.ts'

/** Binds a sealed key to its node. */
const purposeOf = (node: number) => `plesk key of node ${node}`

/**
 * @param box null if no key for secrets is configured
 * @throws DomainError invalid without a box
 */
export function sealPanelKey(box: SecretBox | null, node: number, key: string): string {
  if (box === null) throw invalid({ plesk_key: message('secrets_key_missing') })
  return box.seal(key, purposeOf(node))
}

interface SealedKey {
  readonly id: number
  readonly plesk_key: string | null
}

/**
 * Opens the stored key of a node, null if it has none.
 * @returns `unreadable` if it was sealed with a key that is no longer configured
 */
export function openPanelKey(
  box: SecretBox | null,
  { id, plesk_key: sealed }: SealedKey,
): { readonly key: string | null } | 'unreadable' {
  if (sealed === null) return { key: null }
  const key = box?.open(sealed, purposeOf(id)) ?? null
  return key === null ? 'unreadable' : { key }
}

/** The stored key of a node as a secret to mask; none if it cannot be opened. */
export function panelSecrets(box: SecretBox | null, node: SealedKey | null): readonly string[] {
  const opened = node === null ? 'unreadable' : openPanelKey(box, node)
  return opened === 'unreadable' || opened.key === null ? [] : [opened.key]
}

export interface NodeSecrets {
  /** Those of the configuration. */
  readonly secrets: readonly string[]
  /** Opens the keys of panels; null if none is configured. */
  readonly secretBox: SecretBox | null
}

/** Masks the secrets of the configuration and of a node in what the node or its panel says. */
export const createNodeMask = ({ secrets, secretBox }: NodeSecrets, node: SealedKey | null): Mask =>
  createMask([...secrets, ...panelSecrets(secretBox, node)])
