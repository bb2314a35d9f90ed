import { message } from '@kustos/contract/messages'
import { ApiError } from '../../platform/api-error.ts'

/**
 * Finds a row that has no route of its own.
 * @throws {ApiError} 404 if the list no longer has it
 */
export async function findListed<Row extends { readonly id: number }>(
  list: Promise<readonly Row[]>,
  id: number,
  notFound:
    | 'alert_channel_not_found'
    | 'external_domain_not_found'
    | 'maintenance_window_not_found'
    | 'alert_route_not_found'
    | 'rota_not_found'
    | 'node_not_found'
    | 'role_not_found'
    | 'tag_not_found'
    | 'view_not_found',
): Promise<Row> {
  const found = (await list).find((row) => row.id === id)
  if (found === undefined) throw new ApiError(404, { ...message(notFound, { id }), message: 'Not found.' })
  return found
}
