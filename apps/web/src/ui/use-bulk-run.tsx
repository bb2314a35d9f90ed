import { notifications } from '@mantine/notifications'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../app/api-error.ts'
import { sentence } from '../app/sentences.ts'
import { withEach } from '../app/with-each.ts'
import { useAlert } from './use-alert.tsx'

const notification = 'bulk-run'
/** A dialog is no list: of more failures than these the number is told. */
const mostTold = 20

/** Something that is not asked of the server, and the sentence that says why. */
export class NotAsked extends Error {}

interface BulkRun<Row> {
  readonly rows: readonly Row[]
  readonly work: (row: Row) => Promise<unknown>
  /** Over the progress. */
  readonly running: string
  /** Over the rows that failed, of which there are so many. */
  readonly failed: (count: number) => string
}

/**
 * Asks for something for each of several webs, a few at a time, with its progress as a notification; those that failed
 * are told in a dialog.
 * @returns for how many it was asked for
 */
export function useBulkRun<Row extends { readonly fqdn: string }>(): (run: BulkRun<Row>) => Promise<number> {
  const { t } = useTranslation()
  const alert = useAlert()

  return async ({ rows, work, running, failed }) => {
    const count = rows.length
    const progress = (done: number) => ({
      id: notification,
      title: running,
      message: t('ui.bulk.progress', { done, count }),
      loading: true,
      autoClose: false,
      withCloseButton: false,
    })
    notifications.show(progress(0))
    const refused = await withEach(rows, work, (done) => notifications.update(progress(done)))
    notifications.hide(notification)
    if (refused.length > 0) {
      const rest = refused.length - mostTold
      alert({
        title: failed(refused.length),
        texts: [
          ...refused
            .slice(0, mostTold)
            .map(({ thing: { fqdn }, error }) => t('ui.bulk.failure', { fqdn, reason: reasonOf(error) })),
          ...(rest > 0 ? [t('ui.bulk.more', { count: rest })] : []),
        ],
      })
    }
    return count - refused.length
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof NotAsked) return error.message
  if (error instanceof ApiError) return sentence(error.error ?? error.message)
  throw error
}
