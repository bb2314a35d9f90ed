import type { errorTexts } from '@kustos/contract/errors'

type Known = (typeof errorTexts)[keyof typeof errorTexts]

/** What contract and server say, by their English sentence; numbers and e-mail addresses stand as {0}, {1}. */
export const sentences: Readonly<Record<Known, string>> & Readonly<Record<string, string>> = {
  'Unauthenticated.': 'Sie sind nicht angemeldet.',
  'This action is unauthorized.': 'Dazu fehlt Ihnen die Berechtigung.',
  'CSRF token mismatch.': 'Das Sicherheitsmerkmal passt nicht. Laden Sie die Seite neu.',
  'Too Many Attempts.': 'Zu viele Versuche.',
  'Not found.': 'Nicht gefunden.',
  'Server Error': 'Fehler des Servers',
  'The given data was invalid.': 'Die Angaben sind ungültig.',
  'The server answered with {0}.': 'Der Server hat mit {0} geantwortet.',
  'Name is required': 'Der Name ist erforderlich',
  'Customer is required': 'Der Kunde ist erforderlich',
  'FQDN is required': 'Der FQDN ist erforderlich',
  'Configured IP is required': 'Die konfigurierte IP ist erforderlich',
  'Must have at least {0} characters': 'Mindestens {0} Zeichen',
  "Can't be longer than {0} characters": 'Höchstens {0} Zeichen',
  'Contains a character that cannot be stored': 'Enthält ein Zeichen, das nicht gespeichert werden kann',
  'Must be a valid host name': 'Muss ein gültiger Hostname sein',
  'Must be a valid host name, such as example.com': 'Muss ein gültiger Hostname sein, etwa example.com',
  'Must be an IPv{0} or IPv{1} address': 'Muss eine IPv{0}- oder IPv{1}-Adresse sein',
  'An order number is missing': 'Eine Auftragsnummer fehlt',
  'One order number each': 'Je eine Auftragsnummer',
  'Deleted webs are shown to those who may restore them.':
    'Gelöschte Webs sieht, wer sie wiederherstellen darf.',
  'Is not valid': 'Ist ungültig',
  'Is missing': 'Fehlt',
  'Must be a text': 'Muss ein Text sein',
  'Must be a number': 'Muss eine Zahl sein',
  'Must be a whole number': 'Muss eine ganze Zahl sein',
  'Must be a whole number from {0} to {1}': 'Muss eine ganze Zahl von {0} bis {1} sein',
  'Contains a character that cannot be seen': 'Enthält ein Zeichen, das man nicht sieht',
  'Must be an id, such as {0}, or none': 'Muss eine Id sein, etwa {0}, oder none',
  'Must be an id, such as {0}': 'Muss eine Id sein, etwa {0}',
  'This e-mail is taken already': 'Diese E-Mail ist bereits vergeben',
  'A web with this FQDN exists already': 'Ein Web mit diesem FQDN gibt es bereits',
  'Another web has this FQDN meanwhile.': 'Inzwischen hat ein anderes Web diesen FQDN.',
  'The node of a web cannot change': 'Der Node eines Webs kann sich nicht ändern',
  'There is no such node': 'Diesen Node gibt es nicht',
  'There is no such category': 'Diese Kategorie gibt es nicht',
  'User {0} was not found.': 'Benutzer {0} wurde nicht gefunden.',
  'TP number is required': 'Die TP-Nummer ist erforderlich',
  'Source repository is required': 'Das Quell-Repository ist erforderlich',
  'Kickstarter is required': 'Der Kickstarter ist erforderlich',
  'Source repo is required': 'Das Quell-Repository ist erforderlich',
  'Codename is required': 'Der Codename ist erforderlich',
  'Domain is required': 'Die Domain ist erforderlich',
  'Must be a repository': 'Muss ein Repository sein',
  'Must start with bn and digits': 'Muss mit bn und Ziffern beginnen',
  'Do not include www': 'Ohne www angeben',
  'A repo with this domain already exists!': 'Ein Repository mit dieser Domain gibt es bereits!',
  'Must be an all uppercase word OR {0} digit number':
    'Muss ein Wort in Großbuchstaben ODER eine {0}-stellige Nummer sein',
  'Must be an all lowercase word': 'Muss ein Wort in Kleinbuchstaben sein',
  'Can`t be longer than {0} characters': 'Höchstens {0} Zeichen',
  'Must be the same as the TP number': 'Muss der TP-Nummer gleichen',
  'There is no such repository': 'Dieses Repository gibt es nicht',
  'This repository can not be forked': 'Dieses Repository kann nicht geforkt werden',
  'A trial-day web starts from the trial-day template':
    'Ein Schnuppertag-Web geht von der Schnuppertag-Vorlage aus',
  'The trial-day template is for trial-day webs alone':
    'Die Schnuppertag-Vorlage ist nur für Schnuppertag-Webs',
  'This action can not be executed on this server.':
    'Diese Aktion kann auf diesem Server nicht ausgeführt werden.',
  'This action is already waiting or running for this web.':
    'Diese Aktion wartet oder läuft bereits für dieses Web.',
  'A request for this repository is under way.':
    'Eine Anforderung für dieses Repository ist bereits unterwegs.',
  'A request for this domain is under way.': 'Eine Anforderung für diese Domain ist bereits unterwegs.',
  'No node is cloud-enabled: there is no place for a new web.':
    'Kein Node nimmt Deployments an: Es gibt keinen Platz für ein neues Web.',
  'Bitbucket has not told its repositories yet. Try again in a minute.':
    'Bitbucket hat seine Repositorys noch nicht genannt. Versuchen Sie es in einer Minute noch einmal.',
  'Deployment {0} was not found.': 'Das Deployment {0} wurde nicht gefunden.',
  'Web {0} was not found.': 'Web {0} wurde nicht gefunden.',
  '{0} has changed this web at {1}. Nothing was saved.':
    '{0} hat dieses Web am {1} geändert. Es wurde nichts gespeichert.',
  'Kustos has changed this web at {0}. Nothing was saved.':
    'Kustos hat dieses Web am {0} geändert. Es wurde nichts gespeichert.',
  'The export took too long. A simpler regular expression may help.':
    'Der Export hat zu lange gedauert. Ein einfacherer regulärer Ausdruck kann helfen.',
  'Somebody at the command line has changed this web at {0}. Nothing was saved.':
    'Jemand an der Befehlszeile hat dieses Web am {0} geändert. Es wurde nichts gespeichert.',
  'An import from the former system has changed this web at {0}. Nothing was saved.':
    'Ein Import aus dem bisherigen System hat dieses Web am {0} geändert. Es wurde nichts gespeichert.',
  'The database is away for a moment. Try again.':
    'Die Datenbank ist für einen Augenblick nicht erreichbar. Versuchen Sie es noch einmal.',
  'The job queue is away for a moment. Try again.':
    'Die Warteschlange ist für einen Augenblick nicht erreichbar. Versuchen Sie es noch einmal.',
  'Nothing was saved: the disk of the database is full. Tell whoever runs Kustos.':
    'Es wurde nichts gespeichert: Die Platte der Datenbank ist voll. Geben Sie denen Bescheid, die Kustos betreiben.',
}
