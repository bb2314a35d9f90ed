import type { ReportTexts } from './texts.ts'

export const german: ReportTexts = {
  title: 'Tracking-Bericht',
  unknown: 'unbekannt',
  none: 'keine',
  and: 'und',
  facts: {
    web: 'Website',
    customer: 'Kunde',
    startedAt: 'Prüfung begonnen am',
    auditedAt: 'Geprüft am',
    by: 'Geprüft durch',
    browser: 'Browser',
    noBrowser: 'keiner; die Seite wurde nur gelesen',
    nothingRead: 'keiner; die Seite ließ sich nicht lesen',
    reason: 'Anlass',
    onDemand: 'von einem Mitarbeiter angefordert',
    scheduled: 'regelmäßige Prüfung',
    record: 'Nachweis',
    timezone: 'Europe/Rome',
  },
  verdict: {
    heading: 'Ergebnis',
    phases: {
      before: 'Vor der Einwilligung',
      refused: 'Nach der Ablehnung',
      accepted: 'Nach der Einwilligung',
      withdrawn: 'Nach dem Widerruf',
    },
    loaded: (phase, count, names) =>
      count === 1
        ? `${phase} wurde 1 einwilligungspflichtiger Dienst geladen: ${names}.`
        : `${phase} wurden ${count} einwilligungspflichtige Dienste geladen: ${names}.`,
    nothingLoaded: (phase) => `${phase} wurde kein bekannter einwilligungspflichtiger Dienst geladen.`,
    denied: (phase, count, names) =>
      count === 1
        ? `${phase} wurde 1 einwilligungspflichtiger Dienst mit dem Hinweis geladen, dass die Einwilligung verweigert ist: ${names}.`
        : `${phase} wurden ${count} einwilligungspflichtige Dienste mit dem Hinweis geladen, dass die Einwilligung verweigert ist: ${names}.`,
    nothingElseLoaded: (phase) =>
      `${phase} wurde kein anderer bekannter einwilligungspflichtiger Dienst geladen.`,
    stored: (phase, count, names) =>
      count === 1
        ? `${phase} wurden Daten von 1 einwilligungspflichtigen Dienst gespeichert: ${names}.`
        : `${phase} wurden Daten von ${count} einwilligungspflichtigen Diensten gespeichert: ${names}.`,
    toReview: (phase, count, names) =>
      count === 1
        ? `${phase} wurde 1 Dienst beobachtet, bei dem noch zu prüfen ist, ob er eine Einwilligung braucht: ${names}.`
        : `${phase} wurden ${count} Dienste beobachtet, bei denen noch zu prüfen ist, ob sie eine Einwilligung brauchen: ${names}.`,
    left: (phase, count, names) =>
      count === 1
        ? `${phase} waren Daten von 1 Dienst noch vorhanden, die mit Einwilligung gespeichert worden waren: ${names}.`
        : `${phase} waren Daten von ${count} Diensten noch vorhanden, die mit Einwilligung gespeichert worden waren: ${names}.`,
    notTested: {
      before: 'Der Zustand vor der Einwilligung ließ sich nicht prüfen.',
      refused: 'Die Ablehnung wurde nicht geprüft.',
      accepted: 'Die Einwilligung wurde nicht geprüft.',
      withdrawn: 'Der Widerruf der Einwilligung wurde nicht geprüft.',
    },
    notRefused: 'Die Ablehnung ließ sich nicht prüfen: Es wurde keine Möglichkeit gefunden, abzulehnen.',
    partlyTested: (phase) => `${phase} ließ sich die Seite nicht vollständig beobachten.`,
    failed: 'Die Website konnte nicht geprüft werden. Über sie lässt sich daher nichts sagen.',
    notOpened:
      'Die Seite wurde gelesen, aber nicht in einem Browser geöffnet. Was sie vor und nach der Einwilligung lädt, wurde nicht beobachtet; die Dienste, die in ihrem Code vorkommen, stehen unten.',
    partial:
      'Die Prüfung ist unvollständig. Was nicht geprüft werden konnte, steht unter „Probleme und Grenzen“.',
    confirmed: (time, earlier, number) =>
      `Die Prüfung vom ${time} hat dasselbe ergeben wie die vom ${earlier} (Nachweis ${number} dieser Website), abgesehen von Zeiten, der Zahl der Anfragen und ihren Adressen auf den angefragten Hosts. Die folgenden Einzelheiten und Bildschirmfotos stammen aus jenem Nachweis.`,
  },
  visited: {
    heading: 'Was wie besucht wurde',
    page: (fqdn) => `Die Startseite von ${fqdn} wurde ohne Cookies früherer Besuche aufgerufen.`,
    leadsTo: 'Sie führte zu einer anderen Website, um die es in diesem Bericht geht:',
    static:
      'Ihr HTML, ihre Skripte und ihre Container des Google Tag Managers wurden gelesen, aber nicht ausgeführt.',
    browser:
      'Ihr HTML, ihre Skripte und ihre Container des Google Tag Managers wurden gelesen, und sie wurde in einem Browser geöffnet, der alle Anfragen aufgezeichnet hat.',
    made: {
      refused: (way) => `Die Einwilligung wurde abgelehnt, und zwar über ${way}.`,
      accepted: (way) => `In einem zweiten, getrennten Besuch wurde eingewilligt, und zwar über ${way}.`,
      withdrawn: (way, isWhole) =>
        `Danach wurde die Einwilligung widerrufen, und zwar über ${way}${isWhole ? ', und die Seite erneut geöffnet' : ''}.`,
    },
    impossible: {
      refused: 'Es wurde keine Möglichkeit gefunden, die Einwilligung abzulehnen.',
      accepted: 'Es wurde keine Möglichkeit gefunden, einzuwilligen.',
      withdrawn: 'Es wurde keine Möglichkeit gefunden, sie zu widerrufen.',
    },
    call: (manager) => `die Funktion des Consent-Tools ${manager}`,
    button: (manager) => `die Schaltfläche des Consent-Tools ${manager}`,
    anyButton: 'eine Schaltfläche eines Cookie-Banners',
    stops:
      'Diese Seiten sollten geöffnet werden, die weiteren nur vor der Einwilligung, die Startseite auch als andere Besucher:',
    pages: {
      start: 'Startseite',
      content: 'Inhaltsseite',
      contact: 'Kontaktseite',
      missing: 'Seite, die es nicht gibt',
    },
    visitors: {
      desktop: 'am Computer, auf Deutsch',
      english_mobile: 'am Handy, auf Englisch',
      privacy_signals: 'mit Do Not Track und Global Privacy Control',
    },
    incomplete: 'nicht vollständig:',
    unopened: 'nicht oder nicht vollständig geöffnet:',
  },
  phases: {
    before: 'Vor der Einwilligung',
    refused: 'Nach der Ablehnung',
    accepted: 'Nach der Einwilligung',
    withdrawn: 'Nach dem Widerruf',
  },
  requests: {
    heading: 'Anfragen',
    none: 'Keine Anfragen.',
    noneSeen: 'Es wurden keine Anfragen gesehen, doch die Seite ließ sich nicht vollständig beobachten.',
    host: 'Host',
    service: 'Dienst',
    count: 'Anfragen',
    first: 'Erste Adresse',
    violation: 'ohne Einwilligung',
    denied: 'mit dem Hinweis, dass die Einwilligung verweigert ist',
    review: 'zu prüfen',
    seenOn: 'zuerst gesehen auf',
    own: 'die Website selbst',
    loadedBy: 'geladen durch',
    aliasOf: 'Alias von',
    categories: {
      analytics: 'Analyse',
      advertising: 'Werbung',
      social: 'soziale Medien',
      session_replay: 'Sitzungsaufzeichnung',
      embedded_media: 'eingebettete Medien',
      marketing: 'Marketing',
      chat: 'Chat und Support',
      maps: 'Karten',
      fonts: 'Schriften',
      captcha: 'Captcha',
      other: 'sonstige Inhalte',
      utility: 'technischer Dienst',
      consent_tool: 'Consent-Tool',
      tag_manager: 'Tag-Manager',
      cdn: 'CDN',
      hosting: 'Webhosting',
      unknown: 'unbekannter Zweck',
    },
    limited: (max) => `Aufgeführt sind nur die ${max} wichtigsten Hosts des Besuchs.`,
  },
  storage: {
    heading: 'Im Browser gespeichert',
    none: 'Es wurde nichts gespeichert, was nicht schon vorher gespeichert war.',
    noneSeen:
      'Es wurde nichts gefunden, was nicht schon vorher gespeichert war, doch nicht alles ließ sich lesen.',
    notRead: 'Was die Seite gespeichert hat, wurde nicht aufgezeichnet.',
    violation: 'ohne Einwilligung',
    review: 'zu prüfen',
    kind: 'Art',
    name: 'Name',
    host: 'Host',
    lifetime: 'Lebensdauer',
    setBy: 'Gesetzt durch',
    kinds: {
      cookie: 'Cookie',
      local_storage: 'Local Storage',
      session_storage: 'Session Storage',
      indexed_db: 'IndexedDB',
      service_worker: 'Service Worker',
    },
    session: 'bis der Browser geschlossen wird',
    untilDeleted: 'bis zur Löschung',
  },
  signals: { heading: 'Consent-Signale', host: 'Host', signal: 'Signal', value: 'Wert' },
  tcf: {
    heading: 'Consent-String (IAB TCF)',
    cmp: 'Consent-Tool (ID, Version)',
    purposes: 'Zwecke mit Einwilligung',
    interests: 'Berechtigte Interessen',
    vendors: 'Anbieter mit Einwilligung',
    string: 'String',
  },
  screenshot: {
    alt: (phase) => `Bildschirmfoto: ${phase}`,
    missing: 'Das Bildschirmfoto lässt sich nicht anzeigen.',
  },
  findings: {
    heading: 'Gefundene Dienste',
    intro:
      'Was im Code der Seite, in ihren Containern und in ihren Anfragen gefunden wurde. Ein Dienst, der hier steht, wurde nicht unbedingt ohne Einwilligung geladen.',
    service: 'Dienst',
    value: 'ID oder Wert',
    host: 'Host',
    found: 'Gefunden in',
    waits: 'bis zur Einwilligung blockiert',
    none: 'Es wurde kein bekannter Dienst gefunden.',
    sources: {
      script: 'Skript',
      inline: 'Code der Seite',
      iframe: 'Frame',
      image: 'Bild',
      link: 'Link-Element',
      cookie: 'Cookie',
      container: 'Container des Google Tag Managers',
      request: 'Anfrage des Browsers',
    },
  },
  limits: {
    heading: 'Probleme und Grenzen',
    problems: 'Diese Teile konnten nicht geprüft werden:',
    noProblems: 'Bei dieser Prüfung gab es keine Probleme.',
    general: 'Was keine Prüfung dieser Art zeigen kann:',
    always: [
      'Die Prüfung zeigt, was während ihrer Besuche geschehen ist. Bei anderen Seiten, Besuchern, Regionen, Geräten und Zeiten kann es anders sein.',
      'Daten, die der Server der Website selbst an andere weitergibt, sind von außen nicht zu sehen.',
      'Welche Dienste eine Einwilligung brauchen, folgt den Einstellungen des Betreibers von Kustos. Dieser Bericht ist ein technischer Nachweis und keine Rechtsberatung.',
    ],
  },
  method: {
    heading: 'Verfahren',
    text: 'Kustos öffnet die Website wie ein neuer Besucher in einem Browser ohne Cookies und zeichnet alle Anfragen auf, außerdem, was die Seite speichert und welche Consent-Signale sie sendet. Zuerst wird nichts gewählt, dann wird die Einwilligung abgelehnt und, wenn die Zeit reicht, die Seite erneut geöffnet; in einem zweiten, getrennten Besuch wird eingewilligt und die Einwilligung widerrufen. Das geschieht über die Funktion des Consent-Tools oder über seine Schaltflächen. Eine Kontaktseite, eine Inhaltsseite und eine Seite, die es nicht gibt, werden ohne jede Wahl geöffnet. Eine Anfrage gehört zu der Phase, in der sie gestellt wurde. Ein einwilligungspflichtiger Dienst gilt als ohne Einwilligung geladen, wenn er vor der Einwilligung, nach der Ablehnung oder nach dem Widerruf angefragt wurde, es sei denn, die Anfrage selbst enthielt, dass die Einwilligung verweigert ist (Google Consent Mode, Microsoft). Was ein bekannter Tracker vor der Einwilligung oder nach der Ablehnung gespeichert hat, gilt als ohne Einwilligung gespeichert.',
  },
  proof: {
    heading: 'Unverfälschtheit',
    intro:
      'Die Prüfung wurde als Nachweis gespeichert, den Kustos bis zum Ende seiner Aufbewahrungsfrist weder ändern noch löschen kann. Jeder Nachweis nennt den Hash seines Vorgängers, sodass eine spätere Änderung die Kette unterbricht.',
    hash: 'SHA-256 des Nachweises',
    evidenceHash: 'SHA-256 des Nachweises mit den Einzelheiten',
    previous: 'SHA-256 des Vorgängers',
    first: 'keiner; es ist kein früherer Nachweis der Website vorhanden',
    images: 'SHA-256 der Bildschirmfotos',
    signed: (keyId) =>
      `Diese Datei ist signiert (Ed25519, Schlüssel ${keyId}). Die Signatur steht in ihrer letzten Zeile und umfasst den Hash des Nachweises und alle Bytes vor dieser Zeile.`,
    unsigned: 'Diese Datei ist nicht signiert: Es ist kein Schlüssel eingerichtet.',
    check:
      'Die Dokumentation des Betreibers beschreibt, wie man sie mit dem öffentlichen Schlüssel prüft (docs/reports.md).',
  },
}
