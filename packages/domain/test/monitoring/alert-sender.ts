import { openSlack } from '@kustos/clients/slack'
import { openDatabase } from '@kustos/database/client'
import { openAlertSender } from '../../src/monitoring/alerts/index.ts'
import { createContext } from '../../src/platform/context.ts'

/** A process of its own that sends one alert, and is killed meanwhile: database, webhook and id are its arguments. */
const [databaseUrl = '', url = '', id = ''] = process.argv.slice(2)
const none = (): never => {
  throw new Error('This process has no queue')
}
const send = openAlertSender({
  channels: { slack: openSlack({ url }), telegram: null, mail: null },
  mailTo: [],
  publicUrl: null,
  queues: {
    add: none,
    addAll: none,
    promote: none,
    hasPendingJob: none,
    remove: none,
    schedule: none,
    list: none,
    count: none,
    close: none,
  },
  onError: none,
})
await send(createContext(openDatabase(databaseUrl)), Number(id), new AbortController().signal)
