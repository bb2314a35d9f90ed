import type { ReportTexts } from './texts.ts'

export const english: ReportTexts = {
  title: 'Tracking report',
  unknown: 'unknown',
  none: 'none',
  and: 'and',
  facts: {
    web: 'Website',
    customer: 'Customer',
    startedAt: 'Audit began at',
    auditedAt: 'Audited at',
    by: 'Audited by',
    browser: 'Browser',
    noBrowser: 'none; the page was only read',
    nothingRead: 'none; the page could not be read',
    reason: 'Reason',
    onDemand: 'requested by a member of staff',
    scheduled: 'scheduled audit',
    record: 'Record',
    timezone: 'Europe/Rome',
  },
  verdict: {
    heading: 'Result',
    phases: {
      before: 'Before consent',
      refused: 'After consent was refused',
      accepted: 'After consent was given',
      withdrawn: 'After consent was withdrawn',
    },
    loaded: (phase, count, names) =>
      count === 1
        ? `${phase}, 1 service that needs consent was loaded: ${names}.`
        : `${phase}, ${count} services that need consent were loaded: ${names}.`,
    nothingLoaded: (phase) => `${phase}, no known service that needs consent was loaded.`,
    denied: (phase, count, names) =>
      count === 1
        ? `${phase}, 1 service that needs consent was loaded and told that consent is denied: ${names}.`
        : `${phase}, ${count} services that need consent were loaded and told that consent is denied: ${names}.`,
    nothingElseLoaded: (phase) => `${phase}, no other known service that needs consent was loaded.`,
    stored: (phase, count, names) =>
      count === 1
        ? `${phase}, data of 1 service that needs consent was stored: ${names}.`
        : `${phase}, data of ${count} services that need consent was stored: ${names}.`,
    toReview: (phase, count, names) =>
      count === 1
        ? `${phase}, 1 service was observed of which it remains to be reviewed whether it needs consent: ${names}.`
        : `${phase}, ${count} services were observed of which it remains to be reviewed whether they need consent: ${names}.`,
    left: (phase, count, names) =>
      count === 1
        ? `${phase}, data of 1 service that had been stored with consent was still there: ${names}.`
        : `${phase}, data of ${count} services that had been stored with consent was still there: ${names}.`,
    notTested: {
      before: 'The page before consent could not be tested.',
      refused: 'Refusing consent was not tested.',
      accepted: 'Giving consent was not tested.',
      withdrawn: 'Withdrawing consent was not tested.',
    },
    notRefused: 'Refusing consent could not be tested: no way to refuse was found.',
    partlyTested: (phase) => `${phase}, the page could not be observed completely.`,
    failed: 'The website could not be audited, so nothing can be said about it.',
    notOpened:
      'The page was read, but not opened in a browser. What it loads before and after consent was not observed; the services that its code mentions are listed below.',
    partial: 'The audit is incomplete. What could not be checked is listed under “Problems and limits”.',
    confirmed: (time, earlier, number) =>
      `The audit of ${time} found the same as the one of ${earlier} (record ${number} of this website), apart from times, numbers of requests, and their addresses on the hosts that were asked. The details below, and the screenshots, are those of that record.`,
  },
  visited: {
    heading: 'What was visited, and how',
    page: (fqdn) => `The start page of ${fqdn} was visited without cookies from earlier visits.`,
    leadsTo: 'It led to another website, which this report is about:',
    static: 'Its HTML, its scripts and its Google Tag Manager containers were read, but not run.',
    browser:
      'Its HTML, its scripts and its Google Tag Manager containers were read, and it was opened in a browser, which recorded every request.',
    made: {
      refused: (way) => `Consent was refused by ${way}.`,
      accepted: (way) => `In a second, separate visit consent was given by ${way}.`,
      withdrawn: (way, isWhole) =>
        `Then it was withdrawn by ${way}${isWhole ? ', and the page was opened again' : ''}.`,
    },
    impossible: {
      refused: 'No way to refuse consent was found.',
      accepted: 'No way to give consent was found.',
      withdrawn: 'No way to withdraw it was found.',
    },
    call: (manager) => `the function of the consent tool ${manager}`,
    button: (manager) => `the button of the consent tool ${manager}`,
    anyButton: 'a button of a consent banner',
    stops:
      'These pages were to be opened, the further ones before consent only, and the start page also as other visitors:',
    pages: {
      start: 'Start page',
      content: 'Content page',
      contact: 'Contact page',
      missing: 'Page that does not exist',
    },
    visitors: {
      desktop: 'at a desktop, in German',
      english_mobile: 'with a phone, in English',
      privacy_signals: 'with Do Not Track and Global Privacy Control',
    },
    incomplete: 'not completely:',
    unopened: 'not opened, or not completely:',
  },
  phases: {
    before: 'Before consent',
    refused: 'After refusal',
    accepted: 'After consent',
    withdrawn: 'After withdrawal',
  },
  requests: {
    heading: 'Requests',
    none: 'No requests.',
    noneSeen: 'No requests were seen, but the page could not be observed completely.',
    host: 'Host',
    service: 'Service',
    count: 'Requests',
    first: 'First address',
    violation: 'without consent',
    denied: 'told that consent is denied',
    review: 'to be reviewed',
    seenOn: 'first seen on',
    own: 'the website itself',
    loadedBy: 'loaded by',
    aliasOf: 'alias of',
    categories: {
      analytics: 'analytics',
      advertising: 'advertising',
      social: 'social media',
      session_replay: 'session replay',
      embedded_media: 'embedded media',
      marketing: 'marketing',
      chat: 'chat and support',
      maps: 'maps',
      fonts: 'fonts',
      captcha: 'captcha',
      other: 'other content',
      utility: 'technical service',
      consent_tool: 'consent tool',
      tag_manager: 'tag manager',
      cdn: 'CDN',
      hosting: 'web hosting',
      unknown: 'unknown purpose',
    },
    limited: (max) => `Only the ${max} most important hosts of the visit are listed.`,
  },
  storage: {
    heading: 'Stored in the browser',
    none: 'Nothing was stored that had not been stored before.',
    noneSeen: 'Nothing was seen that had not been stored before, but not all of it could be read.',
    notRead: 'What the page stored was not recorded.',
    violation: 'without consent',
    review: 'to be reviewed',
    kind: 'Kind',
    name: 'Name',
    host: 'Host',
    lifetime: 'Lifetime',
    setBy: 'Set by',
    kinds: {
      cookie: 'Cookie',
      local_storage: 'Local storage',
      session_storage: 'Session storage',
      indexed_db: 'IndexedDB',
      service_worker: 'Service worker',
    },
    session: 'until the browser is closed',
    untilDeleted: 'until it is deleted',
  },
  signals: { heading: 'Consent signals', host: 'Host', signal: 'Signal', value: 'Value' },
  tcf: {
    heading: 'Consent string (IAB TCF)',
    cmp: 'Consent tool (id, version)',
    purposes: 'Purposes with consent',
    interests: 'Legitimate interests',
    vendors: 'Vendors with consent',
    string: 'String',
  },
  screenshot: {
    alt: (phase) => `Screenshot: ${phase}`,
    missing: 'The screenshot cannot be shown.',
  },
  findings: {
    heading: 'Services found',
    intro:
      'What was found in the code of the page, in its containers and in its requests. A service that is found here was not necessarily loaded without consent.',
    service: 'Service',
    value: 'Id or value',
    host: 'Host',
    found: 'Found in',
    waits: 'blocked until consent',
    none: 'No known service was found.',
    sources: {
      script: 'script',
      inline: 'code of the page',
      iframe: 'frame',
      image: 'image',
      link: 'link element',
      cookie: 'cookie',
      container: 'Google Tag Manager container',
      request: 'request of the browser',
    },
  },
  limits: {
    heading: 'Problems and limits',
    problems: 'These parts could not be checked:',
    noProblems: 'There were no problems during this audit.',
    general: 'What no audit of this kind can show:',
    always: [
      'The audit shows what happened during its visits. Other pages, visitors, regions, devices and times may differ.',
      'Data that the website’s own server passes on to others cannot be seen from outside.',
      'Which services need consent follows the settings of the operator of Kustos. This report is technical evidence, not legal advice.',
    ],
  },
  method: {
    heading: 'Method',
    text: 'Kustos opens the website as a new visitor would, in a browser without cookies, and records every request, what the page stores, and the consent signals that it sends. First no choice is made, then consent is refused and, if time allows, the page opened again; in a second, separate visit consent is given and withdrawn again. This is done by the function of the consent tool or by its buttons. A contact page, a content page and a page that does not exist are opened without any choice. A request belongs to the phase in which it was made. A service that needs consent counts as loaded without consent if it was requested before consent was given, after it was refused, or after it was withdrawn, unless the request itself said that consent is denied (Google Consent Mode, Microsoft). What a known tracker has stored before consent or after a refusal counts as stored without consent.',
  },
  proof: {
    heading: 'Integrity',
    intro:
      'The audit was stored as a record that Kustos can neither change nor delete before its retention ends. Each record names the hash of the one before it, so a later change breaks the chain.',
    hash: 'SHA-256 of the record',
    evidenceHash: 'SHA-256 of the record with the details',
    previous: 'SHA-256 of the record before it',
    first: 'none; no earlier record of the website is kept',
    images: 'SHA-256 of the screenshots',
    signed: (keyId) =>
      `This file is signed (Ed25519, key ${keyId}). The signature is in its last line and covers the hash of the record and every byte before that line.`,
    unsigned: 'This file is not signed: no key is configured.',
    check: 'The operator’s documentation describes how to verify it with the public key (docs/reports.md).',
  },
}
