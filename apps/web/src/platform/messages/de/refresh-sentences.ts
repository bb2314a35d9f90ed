/** What refreshes could not learn, by the English sentence; what Plesk on a node does stands without its subject. */
export const refreshSentences: Readonly<Record<string, string>> = {
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
  'The web was given another name, address or node meanwhile.':
    'Das Web bekam inzwischen einen anderen Namen, eine andere Adresse oder einen anderen Node.',
  'It shows no certificate: nothing listens on port {0}.':
    'Es zeigt kein Zertifikat: Auf Port {0} antwortet nichts.',
  'has no subscription of this name': 'hat kein Abonnement dieses Namens',
  'cannot be asked: PLESK_API_KEYS has no key for it':
    'kann nicht gefragt werden: PLESK_API_KEYS hat keinen Schlüssel dafür',
  'did not answer within {0} s': 'antwortete nicht binnen {0} s',
  'answered more than Kustos is willing to read': 'antwortete mehr, als Kustos lesen mag',
  'answered something that is not JSON': 'antwortete etwas, das kein JSON ist',
  'does not accept the API key: it was revoked, or is bound to another address. Put a new one into PLESK_API_KEYS':
    'nimmt den API-Schlüssel nicht an: Er wurde widerrufen oder gilt für eine andere Adresse. Tragen Sie einen neuen in PLESK_API_KEYS ein',
  'does not let the API key in PLESK_API_KEYS read its domains':
    'lässt den API-Schlüssel in PLESK_API_KEYS seine Domains nicht lesen',
  'is out of order ({0})': 'ist außer Betrieb ({0})',
  'refuses to answer ({0})': 'verweigert die Antwort ({0})',
  'its domains': 'seine Domains',
  'the status': 'den Status',
  'the system user': 'den Systembenutzer',
  'the disk usage': 'den belegten Speicher',
  'the aliases': 'die Aliasse',
  'what its command "domain --info" says': 'die Auskunft seines Befehls „domain --info“',
  'it ended with {0}': 'er endete mit {0}',
  'the connection broke': 'die Verbindung brach ab',
  'no connection came about in time': 'es kam rechtzeitig keine Verbindung zustande',
  'the certificate is self-signed, and PLESK_CERTIFICATES has no fingerprint of it':
    'das Zertifikat ist selbst signiert, und PLESK_CERTIFICATES hat keinen Fingerabdruck davon',
}
