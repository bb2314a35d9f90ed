import type { Messages } from '../en/index.ts'
import type { Translation } from '../translation.ts'
import { actions } from './actions.ts'
import { bitbucket } from './bitbucket.ts'
import { confirm } from './confirm.ts'
import { deployment } from './deployment.ts'
import { entry } from './entry.ts'
import { form } from './form.ts'
import { grid } from './grid.ts'
import { limitis } from './limitis.ts'
import { logs } from './logs.ts'
import { messages as serverMessages } from './messages.ts'
import { monitoring } from './monitoring.ts'
import { palette } from './palette.ts'
import { probeSentences } from './probe-sentences.ts'
import { queue } from './queue.ts'
import { refreshSentences } from './refresh-sentences.ts'
import { roles } from './roles.ts'
import { settings } from './settings.ts'
import { shell } from './shell.ts'
import { tracking } from './tracking.ts'
import { trackingSentences } from './tracking-sentences.ts'
import { ui } from './ui.ts'
import { users } from './users.ts'
import { webPage } from './web-page.ts'
import { webs } from './webs.ts'

/** What contract and server say. */
export const sentences = {
  ...probeSentences,
  ...refreshSentences,
  ...trackingSentences,
}

/** The German catalogue; see `en/index.ts`. */
export const messages: Translation<Messages> = {
  ...entry,
  ...shell,
  messages: {
    ...entry.messages,
    ...serverMessages,
    foreign_answer: 'Der Server hat mit {{status}} geantwortet.',
  },
  ui,
  grid,
  form,
  settings,
  webPage,
  webs,
  actions,
  confirm,
  bitbucket,
  deployment,
  limitis,
  logs,
  monitoring,
  palette,
  queue,
  roles,
  tracking,
  users,
}
