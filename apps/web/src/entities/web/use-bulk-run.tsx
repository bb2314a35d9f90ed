import { notifications } from '@mantine/notifications'
import { useTranslation } from 'react-i18next'
import { mapConcurrent } from '../../platform/map-concurrent.ts'
import { errorText } from '../../platform/message-text.ts'
import { useAlert } from '../../ui/use-alert.tsx'

const notification = 'bulk-run'
/** A dialog shows at most this many failures. */
const maxShownFailures = 20

/** A request that was not sent; the message is the reason. */
export class RequestNotSentError extends Error {}

interface BulkRun<Row> {
  readonly rows: readonly Row[]
  readonly work: (row: Row) => Promise<unknown>
  readonly running: string
  readonly failed: (count: number) => string
}

/**
 * Sends a request for each row, a few at a time, with a progress notification and a dialog for the failures.
 * @returns the number of accepted requests
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
    const refused = await mapConcurrent(rows, work, (done) => notifications.update(progress(done)))
    notifications.hide(notification)
    if (refused.length > 0) {
      const rest = refused.length - maxShownFailures
      void alert({
        title: failed(refused.length),
        texts: [
          ...refused.slice(0, maxShownFailures).map(({ item: { fqdn }, error }) => {
            const reason = error instanceof RequestNotSentError ? error.message : errorText(error)
            return t('ui.bulk.failure', { fqdn, reason })
          }),
          ...(rest > 0 ? [t('ui.bulk.more', { count: rest })] : []),
        ],
      })
    }
    return count - refused.length
  }
}
