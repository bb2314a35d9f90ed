/** The texts of all screens but the list of webs; see `en/index.ts`. */
import serverMessages from '@kustos/contract/messages/messages.de.json' with { type: 'json' }
import initial from './initial.json' with { type: 'json' }

export { default as alertChannels } from './alert-channels.json' with { type: 'json' }
export { default as alertRoutes } from './alert-routes.json' with { type: 'json' }
export { default as attention } from './attention.json' with { type: 'json' }
export { default as batches } from './batches.json' with { type: 'json' }
export { default as bitbucket } from './bitbucket.json' with { type: 'json' }
export { default as checks } from './checks.json' with { type: 'json' }
export { gridLabels, monitoring } from './console.ts'
export { default as customers } from './customers.json' with { type: 'json' }
export { default as dashboard } from './dashboard.json' with { type: 'json' }
export { default as deployment } from './deployment.json' with { type: 'json' }
export { default as domains } from './domains.json' with { type: 'json' }
export { default as incidents } from './incidents.json' with { type: 'json' }
export { default as keys } from './keys.json' with { type: 'json' }
export { default as limitis } from './limitis.json' with { type: 'json' }
export { default as logs } from './logs.json' with { type: 'json' }
export { default as maintenance } from './maintenance.json' with { type: 'json' }
export { default as nodes } from './nodes.json' with { type: 'json' }
export { default as palette } from './palette.json' with { type: 'json' }
export { default as queue } from './queue.json' with { type: 'json' }
export { default as roles } from './roles.json' with { type: 'json' }
export { default as rotas } from './rotas.json' with { type: 'json' }
export { default as screenDescriptions } from './screen-descriptions.json' with { type: 'json' }
export { default as settings } from './settings.json' with { type: 'json' }
export { default as tags } from './tags.json' with { type: 'json' }
export { default as thirdParties } from './third-parties.json' with { type: 'json' }
export { default as tracking } from './tracking.json' with { type: 'json' }
export { default as trackingContract } from './tracking-contract.json' with { type: 'json' }
export { default as users } from './users.json' with { type: 'json' }
export { default as views } from './views.json' with { type: 'json' }
export { default as webPage } from './web-page.json' with { type: 'json' }

export const messages = { ...initial.messages, ...serverMessages }
