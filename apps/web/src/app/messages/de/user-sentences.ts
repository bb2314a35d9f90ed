import type { userTexts } from '@kustos/contract/users'

type Known = Exclude<(typeof userTexts)[keyof typeof userTexts], 'This e-mail is taken already'>

/** What contract and server say of users, roles, sessions and the log. */
export const userSentences: Readonly<Record<Known, string>> & Readonly<Record<string, string>> = {
  'This e-mail is that of a deleted user, who can be restored':
    'Diese E-Mail hat ein gelöschter Benutzer, der wiederhergestellt werden kann',
  'This password is among the most common ones': 'Dieses Passwort gehört zu den gängigsten',
  'You cannot delete yourself.': 'Sich selbst können Sie nicht löschen.',
  'The last admin cannot be deleted or lose the role.':
    'Der letzte admin kann weder gelöscht werden noch die Rolle verlieren.',
  'You cannot grant or change what you are not permitted yourself.':
    'Was Ihnen selbst nicht erlaubt ist, können Sie weder vergeben noch ändern.',
  'There is a role with this name already': 'Eine Rolle mit diesem Namen gibt es bereits',
  'The role admin is fixed.': 'Die Rolle admin ist fest.',
  'This role is in use: take it from its users first.':
    'Diese Rolle ist in Gebrauch: Nehmen Sie sie erst ihren Benutzern.',
  'A user needs a role': 'Ein Benutzer braucht eine Rolle',
  'This password is too easy to guess: it repeats itself, or a name that belongs to it':
    'Dieses Passwort ist zu leicht zu erraten: Es wiederholt sich oder einen Namen, der dazugehört',
  'There is no such role': 'Diese Rolle gibt es nicht',
  'Users change their own data only.': 'Benutzer ändern nur ihre eigenen Daten.',
  'Role {0} was not found.': 'Rolle {0} wurde nicht gefunden.',
  'Session {0} was not found.': 'Sitzung {0} wurde nicht gefunden.',
  '{0} has changed this user at {1}. Nothing was saved.':
    '{0} hat diesen Benutzer am {1} geändert. Es wurde nichts gespeichert.',
  'Kustos has changed this user at {0}. Nothing was saved.':
    'Kustos hat diesen Benutzer am {0} geändert. Es wurde nichts gespeichert.',
  'Somebody at the command line has changed this user at {0}. Nothing was saved.':
    'Jemand an der Befehlszeile hat diesen Benutzer am {0} geändert. Es wurde nichts gespeichert.',
  'An import from the former system has changed this user at {0}. Nothing was saved.':
    'Ein Import aus dem bisherigen System hat diesen Benutzer am {0} geändert. Es wurde nichts gespeichert.',
  '{0} has changed this role at {1}. Nothing was saved.':
    '{0} hat diese Rolle am {1} geändert. Es wurde nichts gespeichert.',
  'Kustos has changed this role at {0}. Nothing was saved.':
    'Kustos hat diese Rolle am {0} geändert. Es wurde nichts gespeichert.',
  'Somebody at the command line has changed this role at {0}. Nothing was saved.':
    'Jemand an der Befehlszeile hat diese Rolle am {0} geändert. Es wurde nichts gespeichert.',
  'An import from the former system has changed this role at {0}. Nothing was saved.':
    'Ein Import aus dem bisherigen System hat diese Rolle am {0} geändert. Es wurde nichts gespeichert.',
  'Must be a time such as {0}-{1}-{2}T{3}:{4}:{5}Z': 'Muss ein Zeitpunkt sein, etwa {0}-{1}-{2}T{3}:{4}:{5}Z',
  'An id says which only together with a type': 'Eine Id sagt nur mit einer Art, was gemeint ist',
  'Must lie in the years {0} to {1}': 'Muss in den Jahren {0} bis {1} liegen',
  'Must lie after from': 'Muss nach dem Beginn liegen',
  'There is no such entry': 'Diesen Eintrag gibt es nicht',
}
