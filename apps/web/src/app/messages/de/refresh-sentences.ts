/** What refreshes could not learn, by the English sentence; what Plesk on a node does stands without its subject. */
export const refreshSentences: Readonly<Record<string, string>> = {
  'A refresh of this web is already waiting or running.':
    'Eine Aktualisierung dieses Webs wartet oder läuft bereits.',
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
