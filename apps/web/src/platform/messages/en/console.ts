/** The texts that every screen needs; see `index.ts`. */
import { labels } from '@kustos/contract/webs/labels'
import { initial } from './initial.ts'
import { shell as shellTexts } from './shell.ts'

export { actions } from './actions.ts'
export { confirm } from './confirm.ts'
export { form } from './form.ts'
export { grid } from './grid.ts'
export { monitoringBasics as monitoring } from './monitoring-basics.ts'
export { ui } from './ui.ts'
export { webs } from './webs.ts'

export const { app, crash, login } = initial
/** Of the list of webs; `screens.ts` has all. */
export const gridLabels = labels
export const { notFound, screens, shell } = shellTexts
