/** The texts that every screen needs; see `index.ts`. */
import { callMessages } from '@kustos/contract/messages/calls'
import { initial } from './initial.ts'
import { shell as shellTexts } from './shell.ts'

export { actions } from './actions.ts'
export { confirm } from './confirm.ts'
export { deployment } from './deployment.ts'
export { form } from './form.ts'
export { grid } from './grid.ts'
export { gridLabels } from './grid-labels.ts'
export { monitoring } from './monitoring.ts'
export { palette } from './palette.ts'
export { settings } from './settings.ts'
export { ui } from './ui.ts'
export { webs } from './webs.ts'

export const { app, crash, login } = initial
export const { dashboard, notFound, screens, shell } = shellTexts
export const messages = { ...initial.messages, ...callMessages } as const
