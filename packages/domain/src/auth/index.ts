export { hashPassword } from './passwords.ts'
export {
  endOtherSessions,
  endSession,
  findSession,
  isSignedIn,
  keepSession,
  purgeExpired,
  rememberedFor,
  type SessionData,
} from './sessions.ts'
export { signIn, signOut } from './sign-in.ts'
