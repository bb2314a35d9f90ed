/** Texts of the settings screen. */
export const settings = {
  ownData: 'Your data',
  console: 'This browser',
  name: 'Name',
  email: 'E-Mail',
  emailHint: 'Must be unique in the system',
  password: 'Password',
  passwordHint: 'Changed only if one is entered; at least {{min}} characters',
  mailSubscription: 'Send me monitoring alerts by mail',
  created: 'Created',
  updated: 'Updated',
  roles: 'Roles',
  save: 'Save',
  saved: 'settings saved',
  language: 'Language',
  languages: { en: 'English', de: 'Deutsch' },
  colorScheme: 'Colour scheme',
} as const
