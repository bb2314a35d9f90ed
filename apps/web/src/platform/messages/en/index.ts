/**
 * The English catalogue. Each section has a file, `en/<section>.ts` and `de/<section>.json`, and is entered here and in
 * `de/index.ts`, where a key that German lacks does not compile. English is TypeScript because i18next reads the
 * parameters of a text from its literal type, which JSON has not.
 */
import { callMessages } from '@kustos/contract/messages/calls'
import type { reasonMessages } from '@kustos/contract/messages/reasons'
import { actions } from './actions.ts'
import { bitbucket } from './bitbucket.ts'
import { confirm } from './confirm.ts'
import { deployment } from './deployment.ts'
import { entry } from './entry.ts'
import { form } from './form.ts'
import { grid } from './grid.ts'
import { gridLabels } from './grid-labels.ts'
import { limitis } from './limitis.ts'
import { logs } from './logs.ts'
import { monitoring } from './monitoring.ts'
import { palette } from './palette.ts'
import { queue } from './queue.ts'
import { roles } from './roles.ts'
import { settings } from './settings.ts'
import { shell } from './shell.ts'
import { tracking } from './tracking.ts'
import { ui } from './ui.ts'
import { users } from './users.ts'
import { webPage } from './web-page.ts'
import { webs } from './webs.ts'

export const messages = {
  ...entry,
  ...shell,
  messages: {
    ...entry.messages,
    ...callMessages,
    foreign_answer: 'The server answered with {{status}}.',
  },
  ui,
  grid,
  gridLabels,
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
} as const

/** With the reasons that English shows as they are stored, so that the first load is without them. */
export type Messages = typeof messages & { readonly messages: typeof reasonMessages }
