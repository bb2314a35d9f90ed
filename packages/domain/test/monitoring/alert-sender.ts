import { openSlack } from '@kustos/clients/slack'
import { openDatabase } from '@kustos/database/client'
import { contextOf } from '../../src/context.ts'
import { openAlertSender } from '../../src/monitoring/alerts/index.ts'

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
    hurry: none,
    holds: none,
    remove: none,
    list: none,
    count: none,
    close: none,
  },
  onError: none,
})
await send(contextOf(openDatabase(databaseUrl)), Number(id), new AbortController().signal)
