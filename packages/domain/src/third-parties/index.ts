export {
  classifyInTransaction,
  classifyThirdParty,
  editPolicyInTransaction,
  editTrackingPolicy,
} from './change-policy.ts'
export { isOfConsentTool, readConsentToolAddress } from './consent-tools.ts'
export { evaluateWebs, holdPolicy, lockPolicy } from './evaluate.ts'
export { createConsentTest, type IdentifyParty, identifyParties } from './identify-parties.ts'
export { listThirdParties } from './list-third-parties.ts'
export {
  defaultPolicy,
  hostOfStored,
  judgeRequest,
  judgeStored,
  readPolicy,
  type TrackingPolicy,
} from './policy.ts'
export { type FoundHost, freshSince, storeThirdParties } from './store-third-parties.ts'
export { partyOf } from './topics.ts'
export { readWithoutConsent } from './without-consent.ts'
