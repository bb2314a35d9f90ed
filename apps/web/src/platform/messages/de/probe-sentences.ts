/** Why a probe failed, by the English sentence of the server; numbers stand as {0}, {1}. */
export const probeSentences: Readonly<Record<string, string>> = {
  'the server answers with status {0}': 'der Server antwortet mit Status {0}',
  'its name servers did not answer within {0} s': 'seine Nameserver antworteten nicht binnen {0} s',
  'no connection': 'keine Verbindung',
  'no connection within {0} s': 'keine Verbindung binnen {0} s',
  'no TLS handshake within {0} s': 'kein TLS-Handshake binnen {0} s',
  'no answer within {0} s': 'keine Antwort binnen {0} s',
  'the answer did not end within {0} s': 'die Antwort endete nicht binnen {0} s',
  'the connection was refused': 'die Verbindung wurde abgewiesen',
  'its address cannot be reached': 'seine Adresse ist nicht erreichbar',
  'its address is private': 'seine Adresse ist privat',
  'its name has no address': 'sein Name hat keine Adresse',
  'its name is not a host name': 'sein Name ist kein Hostname',
  'its name does not resolve': 'sein Name lässt sich nicht auflösen',
  'its name does not resolve: no name server answered':
    'sein Name lässt sich nicht auflösen: Kein Nameserver antwortete',
  'its name does not resolve: no name server could be reached':
    'sein Name lässt sich nicht auflösen: Kein Nameserver war erreichbar',
  'its name does not resolve: the name server failed':
    'sein Name lässt sich nicht auflösen: Der Nameserver versagte',
  'its name does not resolve: the name server refused the question':
    'sein Name lässt sich nicht auflösen: Der Nameserver wies die Frage ab',
  'the connection timed out': 'die Verbindung kam nicht rechtzeitig zustande',
  'the connection was closed during the TLS handshake':
    'die Verbindung wurde während des TLS-Handshakes geschlossen',
  'the connection was reset before the answer was whole':
    'die Verbindung wurde abgebrochen, bevor die Antwort vollständig war',
  'the connection was closed within the answer': 'die Verbindung wurde mitten in der Antwort geschlossen',
  'the certificate has expired': 'das Zertifikat ist abgelaufen',
  'the certificate is not valid yet': 'das Zertifikat ist noch nicht gültig',
  'the certificate has been revoked': 'das Zertifikat wurde widerrufen',
  'the certificate is for another name': 'das Zertifikat gilt für einen anderen Namen',
  'the certificate is self-signed': 'das Zertifikat ist selbst signiert',
  "the certificate's authority is unknown": 'die Zertifizierungsstelle ist unbekannt',
  "the certificate's authority is unknown, or a certificate between is missing":
    'die Zertifizierungsstelle ist unbekannt, oder ein Zwischenzertifikat fehlt',
  "the certificate's authority may not sign it": 'die Zertifizierungsstelle darf es nicht signieren',
  'the certificate is not one for servers': 'das Zertifikat ist keines für Server',
  'what answers there does not speak TLS': 'was dort antwortet, spricht kein TLS',
  'the server does not know its name': 'der Server kennt seinen Namen nicht',
  'the answer is not HTTP': 'die Antwort ist kein HTTP',
  "the answer's header has more than {0} lines": 'der Kopf der Antwort hat mehr als {0} Zeilen',
  "the answer's header is longer than {0} KiB": 'der Kopf der Antwort ist länger als {0} KiB',
  "the answer's chunks are malformed": 'die Teile der Antwort sind fehlerhaft',
  'the answer tells no usable Content-Length': 'die Antwort nennt keine brauchbare Content-Length',
}
