import { signInMessages } from '@kustos/contract/messages/sign-in'
import { clientMessages } from '../../api-error.ts'

/** Texts needed before sign-in. They are part of the initial bundle, so keep them few. */
export const initial = {
  messages: {
    ...signInMessages,
    ...clientMessages,
  },
  app: { title: 'Kustos' },
  login: {
    title: 'Sign in',
    email: 'E-Mail',
    password: 'Password',
    remember: 'Remember me',
    showPassword: 'Show password',
    submit: 'Login',
    ended: 'Your session has ended. Sign in to continue.',
    waitSeconds_one: 'Try again in {{count}} second.',
    waitSeconds_other: 'Try again in {{count, number}} seconds.',
  },
  crash: {
    failed: {
      title: 'Something went wrong',
      text: 'Reload the page. If the problem persists, contact an administrator.',
    },
    newVersion: {
      title: 'A new version of Kustos is available',
      text: 'This screen could not be loaded. Reload the page to get the new version.',
    },
    unreachable: {
      title: 'This screen could not be loaded',
      text: 'The server can’t be reached. Check your connection, then reload the page.',
    },
    reload: 'Reload',
  },
} as const
