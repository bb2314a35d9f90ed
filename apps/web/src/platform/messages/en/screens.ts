/** The texts of all screens but the list of webs, to keep the first load small; see `index.ts`. */

export { attention } from './attention.ts'
export { batches } from './batches.ts'
export { bitbucket } from './bitbucket.ts'
export { deployment } from './deployment.ts'
export { limitis } from './limitis.ts'
export { logs } from './logs.ts'
export { nodes } from './nodes.ts'
export { queue } from './queue.ts'
export { roles } from './roles.ts'
export { tracking } from './tracking.ts'
export { users } from './users.ts'
export { webPage } from './web-page.ts'
