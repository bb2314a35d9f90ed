/** The texts that every screen needs; see `en/index.ts`. */
import exportedLabels from '@kustos/contract/webs/labels.de.json' with { type: 'json' }
import ownLabels from './grid-labels.json' with { type: 'json' }
import initial from './initial.json' with { type: 'json' }
import shellTexts from './shell.json' with { type: 'json' }

export { default as actions } from './actions.json' with { type: 'json' }
export { default as confirm } from './confirm.json' with { type: 'json' }
export { default as form } from './form.json' with { type: 'json' }
export { default as grid } from './grid.json' with { type: 'json' }
export { default as monitoring } from './monitoring.json' with { type: 'json' }
export { default as ui } from './ui.json' with { type: 'json' }
export { default as webs } from './webs.json' with { type: 'json' }

export const { app, crash, login } = initial
export const { notFound, screens, shell } = shellTexts
export const gridLabels = { ...exportedLabels, ...ownLabels }
