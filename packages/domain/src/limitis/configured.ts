import { openRegistrar, type Registrar } from '@kustos/clients/registrar'
import type { Configuration } from '../platform/configuration/index.ts'
import { createMask, secretsOf } from '../platform/masking/index.ts'

/** @returns null if no registrar is configured */
export function openConfiguredRegistrar(
  settings: Pick<Configuration, 'LIMITIS_API_URL' | 'LIMITIS_API_TOKEN'>,
): Registrar | null {
  const { LIMITIS_API_URL: url, LIMITIS_API_TOKEN: token } = settings
  if (url === undefined || token === undefined) return null
  return openRegistrar({ url, token, mask: createMask(secretsOf(settings)).text })
}
