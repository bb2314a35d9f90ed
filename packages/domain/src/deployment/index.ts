export { cancelDeployment, retryDeployment } from './control.ts'
export { endUnfinishedDeployments } from './end-unfinished.ts'
export { enqueue as enqueueDeployment } from './enqueue.ts'
export { executeDeployment } from './execute.ts'
export { jobIdOf, runDeployment } from './jobs.ts'
export { mailRequester } from './mail-requester.ts'
export { isProvisioning } from './provisioning.ts'
export {
  listDeployments,
  listOwnDeployments,
  presentRequester,
  readDeployment,
  readDeploymentLines,
  readRequestOptions,
} from './read.ts'
export { type Recipes, readRecipes } from './recipes.ts'
export { findActionRefusal, rejectDuplicate } from './refusals.ts'
export { insertAction, requestAction, requestWeb } from './request.ts'
export { purgeDeploymentLines, sweepDeployments } from './sweep.ts'
export { findSystemUserOwner, findWebOfSystemUser } from './system-user.ts'
export type { DeploymentTools, ExecutionTools } from './tools.ts'
