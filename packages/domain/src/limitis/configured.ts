import { openRegistrar, type Registrar } from '@kustos/clients/registrar'
import type { Configuration } from '../configuration.ts'

/** @returns null where none is configured */
export function registrarOf({
  LIMITIS_API_URL: url,
  LIMITIS_API_TOKEN: token,
}: Pick<Configuration, 'LIMITIS_API_URL' | 'LIMITIS_API_TOKEN'>): Registrar | null {
  return url === undefined || token === undefined ? null : openRegistrar({ url, token })
}
