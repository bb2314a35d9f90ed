/** What is needed before anybody has signed in; part of the entry, so keep it small. */
export const entry = {
  app: { title: 'Kustos' },
  login: {
    title: 'Sign in',
    email: 'E-Mail',
    password: 'Password',
    remember: 'Remember me',
    showPassword: 'Show the password',
    submit: 'Login',
    waitSeconds_one: 'Try again in {{count}} second.',
    waitSeconds_other: 'Try again in {{count}} seconds.',
  },
} as const
