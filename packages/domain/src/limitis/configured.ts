import { openRegistrar, type Registrar } from '@kustos/clients/registrar'
import type { Configuration } from '../platform/configuration.ts'

/** @returns null if no registrar is configured */
export function openConfiguredRegistrar({
  LIMITIS_API_URL: url,
  LIMITIS_API_TOKEN: token,
}: Pick<Configuration, 'LIMITIS_API_URL' | 'LIMITIS_API_TOKEN'>): Registrar | null {
  return url === undefined || token === undefined ? null : openRegistrar({ url, token })
}
