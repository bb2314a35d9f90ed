/**
 * The English catalogue. Each section has a file, `en/<section>.ts` and `de/<section>.json`, and is exported here and from
 * `de/index.ts`; a key that German lacks does not compile. English is TypeScript because i18next reads the parameters of a
 * text from its literal type, which JSON lacks.
 */
import { callMessages } from '@kustos/contract/messages/calls'
import { initial } from './initial.ts'
import { shell as shellTexts } from './shell.ts'

export { actions } from './actions.ts'
export { bitbucket } from './bitbucket.ts'
export { confirm } from './confirm.ts'
export { deployment } from './deployment.ts'
export { form } from './form.ts'
export { grid } from './grid.ts'
export { gridLabels } from './grid-labels.ts'
export { limitis } from './limitis.ts'
export { logs } from './logs.ts'
export { monitoring } from './monitoring.ts'
export { nodes } from './nodes.ts'
export { palette } from './palette.ts'
export { queue } from './queue.ts'
export { roles } from './roles.ts'
export { settings } from './settings.ts'
export { tracking } from './tracking.ts'
export { ui } from './ui.ts'
export { users } from './users.ts'
export { webPage } from './web-page.ts'
export { webs } from './webs.ts'

export const { app, crash, login } = initial
export const { dashboard, notFound, screens, shell } = shellTexts
export const messages = { ...initial.messages, ...callMessages } as const
