/** The texts that every screen needs; see `en/index.ts`. */
import { type BatchAction, batchActions } from '@kustos/contract/batches'
import exportedLabels from '@kustos/contract/webs/labels.de.json' with { type: 'json' }
import actionTexts from './actions.json' with { type: 'json' }
import ownLabels from './grid-labels.json' with { type: 'json' }
import initial from './initial.json' with { type: 'json' }
import shellTexts from './shell.json' with { type: 'json' }

export { default as confirm } from './confirm.json' with { type: 'json' }
export { default as form } from './form.json' with { type: 'json' }
export { default as grid } from './grid.json' with { type: 'json' }
export { default as monitoring } from './monitoring.json' with { type: 'json' }
export { default as ui } from './ui.json' with { type: 'json' }
export { default as webs } from './webs.json' with { type: 'json' }

export const { app, crash, login } = initial
export const { notFound, screens, shell } = shellTexts
export const actions = actionTexts

const { batches } = ownLabels
const batchActionLabels = Object.fromEntries(
  // A missing text is reported by the test of the catalogues.
  batchActions.map((action) => [action, actionTexts[action]?.label]),
) as Readonly<Record<BatchAction, string>>

export const gridLabels = {
  ...exportedLabels,
  ...ownLabels,
  batches: { ...batches, options: { ...batches.options, action: batchActionLabels } },
}
