export { mailEmailRequest, mailNewEmail, mailNewPassword } from './account-mails.ts'
export { acceptPassword, type Device, returnAcceptedAttempt, type Visitor } from './attempt-password.ts'
export { clearAttempts } from './attempts.ts'
export { attemptOwnPassword, confirmPassword } from './confirm-password.ts'
export { endOwnOtherSessions, endOwnSession, listOwnSessions } from './own-sessions.ts'
export { findPasswordProblem } from './password-rules.ts'
export { hashPassword } from './passwords.ts'
export {
  endOtherSessions,
  endSession,
  type FoundSession,
  findSession,
  keepSession,
  lockOpenSession,
  noteUse,
  openSessionExists,
  purgeExpired,
  readOpenSession,
  rememberedSessionMs,
  type SessionClient,
} from './sessions.ts'
export { signIn, signOut } from './sign-in.ts'
