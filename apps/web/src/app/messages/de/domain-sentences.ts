import { domainTexts } from '@kustos/contract/external-domains'

/** What is wrong with a domain, and why name servers could not be asked about one, by the English sentence. */
export const domainSentences: Readonly<Record<string, string>> = {
  'Leave out http:// and the path: example.com alone': 'Ohne http:// und Pfad: nur example.com',
  'An e-mail address is no domain: leave out the @ and what stands before it':
    'Eine E-Mail-Adresse ist keine Domain: ohne das @ und was davor steht',
  'One domain on each line, without spaces or commas': 'Je Zeile eine Domain, ohne Leerzeichen und Kommas',
  'A domain has letters, digits and hyphens, but no underscores':
    'Eine Domain hat Buchstaben, Ziffern und Bindestriche, aber keine Unterstriche',
  'An IP address is no domain': 'Eine IP-Adresse ist keine Domain',
  'Leave out the port': 'Ohne den Port',
  'A domain has no asterisks': 'Eine Domain hat keine Sternchen',
  'Dots stand between the parts of a domain: none at its ends, and no two in a row':
    'Punkte stehen zwischen den Teilen einer Domain: keine am Rand und keine zwei hintereinander',
  'A domain has at least two parts, such as example.com':
    'Eine Domain hat mindestens zwei Teile, etwa example.com',
  'Domain provider is required': 'Der Domain-Provider ist erforderlich',
  [domainTexts.taken]: 'Diese Domain steht schon in der Liste der externen Domains.',
  [domainTexts.own]: 'Diese Domain ist eine unserer eigenen: Sie steht in der Liste der eigenen Domains.',
  'External domain {0} was not found.': 'Die externe Domain {0} wurde nicht gefunden.',
  '{0} has changed this domain at {1}. Nothing was saved.':
    '{0} hat diese Domain am {1} geändert. Es wurde nichts gespeichert.',
  'Kustos has changed this domain at {0}. Nothing was saved.':
    'Kustos hat diese Domain am {0} geändert. Es wurde nichts gespeichert.',
  'Somebody at the command line has changed this domain at {0}. Nothing was saved.':
    'Jemand an der Befehlszeile hat diese Domain am {0} geändert. Es wurde nichts gespeichert.',
  'An import from the former system has changed this domain at {0}. Nothing was saved.':
    'Ein Import aus dem bisherigen System hat diese Domain am {0} geändert. Es wurde nichts gespeichert.',
  'There is no name server to ask.': 'Es gibt keinen Nameserver, den man fragen könnte.',
  'The name is not a host name.': 'Der Name ist kein Hostname.',
  'No name server answered in time.': 'Kein Nameserver antwortete rechtzeitig.',
  'No name server could be reached.': 'Kein Nameserver war erreichbar.',
  'The name server failed, and no other one was there to confirm it.':
    'Der Nameserver versagte, und kein anderer war da, um es zu bestätigen.',
  'The name server refused the question.': 'Der Nameserver wies die Frage ab.',
  'The name server does not know such questions.': 'Der Nameserver kennt solche Fragen nicht.',
  'The name server did not understand the question.': 'Der Nameserver verstand die Frage nicht.',
  'The name server answered something that cannot be read.': 'Der Nameserver antwortete Unlesbares.',
}
