import { openSlack } from '@kustos/clients/slack'
import { openDatabase } from '@kustos/database/client'
import { openAlertSender } from '../../src/monitoring/alerts/index.ts'
import { createContext } from '../../src/platform/context.ts'

/** Sends one alert in a process of its own, which the test kills. Its arguments are database URL, webhook URL and alert id. */
const [databaseUrl = '', url = '', id = ''] = process.argv.slice(2)
const unexpected = (): never => {
  throw new Error('This process has no queue')
}
const send = openAlertSender({
  channels: { slack: openSlack({ url }), telegram: null, mail: null },
  mailTo: [],
  stored: { open: unexpected, close: unexpected },
  publicUrl: null,
  queues: {
    add: unexpected,
    addAll: unexpected,
    promote: unexpected,
    hasPendingJob: unexpected,
    remove: unexpected,
    schedule: unexpected,
    list: unexpected,
    count: unexpected,
    close: unexpected,
  },
  onError: unexpected,
})
await send(createContext(openDatabase(databaseUrl)), Number(id), new AbortController().signal)
