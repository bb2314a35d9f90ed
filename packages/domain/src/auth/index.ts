export { endOwnOtherSessions, endOwnSession, listOwnSessions } from './own-sessions.ts'
export { faultOf } from './password-rules.ts'
export { hashPassword } from './passwords.ts'
export {
  endOtherSessions,
  endSession,
  type FoundSession,
  findSession,
  isSignedIn,
  keepAlive,
  keepSession,
  type Place,
  purgeExpired,
  rememberedFor,
} from './sessions.ts'
export { signIn, signOut } from './sign-in.ts'
