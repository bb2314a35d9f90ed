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
    ended: 'Your session has ended. Sign in to go on where you were.',
    waitSeconds_one: 'Try again in {{count}} second.',
    waitSeconds_other: 'Try again in {{count}} seconds.',
  },
  crash: {
    title: 'This screen could not be shown',
    text: 'Reload the page. If it happens again, tell an administrator what you did.',
    reload: 'Reload',
  },
} as const
