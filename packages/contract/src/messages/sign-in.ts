/** The messages of the login screen, apart from the others because it loads nothing else. */
export const signInMessages = {
  credentials_not_valid: 'Credentials not valid! Try again...',
  email_required: 'E-Mail is required',
  email_invalid: 'E-Mail must be valid',
  password_required: 'Password is required',
  too_many_attempts: 'Too Many Attempts.',
  server_error: 'Server Error',
} as const
