import exportedLabels from '@kustos/contract/webs/labels.de.json' with { type: 'json' }
import type { Messages } from '../en/index.ts'
import type { Translation } from '../translation.ts'
import actions from './actions.json' with { type: 'json' }
import bitbucket from './bitbucket.json' with { type: 'json' }
import confirm from './confirm.json' with { type: 'json' }
import deployment from './deployment.json' with { type: 'json' }
import entry from './entry.json' with { type: 'json' }
import form from './form.json' with { type: 'json' }
import grid from './grid.json' with { type: 'json' }
import gridLabels from './grid-labels.json' with { type: 'json' }
import limitis from './limitis.json' with { type: 'json' }
import logs from './logs.json' with { type: 'json' }
import serverMessages from './messages.json' with { type: 'json' }
import monitoring from './monitoring.json' with { type: 'json' }
import palette from './palette.json' with { type: 'json' }
import queue from './queue.json' with { type: 'json' }
import roles from './roles.json' with { type: 'json' }
import settings from './settings.json' with { type: 'json' }
import shell from './shell.json' with { type: 'json' }
import tracking from './tracking.json' with { type: 'json' }
import ui from './ui.json' with { type: 'json' }
import users from './users.json' with { type: 'json' }
import webPage from './web-page.json' with { type: 'json' }
import webs from './webs.json' with { type: 'json' }

/** The German catalogue; see `en/index.ts`. */
export const messages: Translation<Messages> = {
  ...entry,
  ...shell,
  messages: { ...entry.messages, ...serverMessages },
  ui,
  grid,
  gridLabels: { ...exportedLabels, ...gridLabels },
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
