import i18next from 'i18next'
import { beforeAll, expect, it } from 'vitest'
import { messages, sentences } from '../../platform/messages/de/index.ts'
import { sentencesNamespace } from '../../platform/sentences.ts'
import { factProblem } from './fact-problem.ts'

beforeAll(async () => {
  const resources = { de: { translation: messages, [sentencesNamespace]: sentences } }
  await i18next.init({ lng: 'de', resources, interpolation: { escapeValue: false } })
})

it.each([
  ['It did not answer: no answer within 10 s.', 'Keine Antwort: keine Antwort binnen 10 s.'],
  [
    'It shows no certificate: nothing listens on port 443.',
    'Es zeigt kein Zertifikat: Auf Port 443 antwortet nichts.',
  ],
  ['https://hotel.test/ answered 503.', 'https://hotel.test/ antwortete mit 503.'],
  [
    'https://hotel.test/ answered with application/pdf, which is no page.',
    'https://hotel.test/ antwortete mit application/pdf, was keine Seite ist.',
  ],
  [
    'https://hotel.test/ could not be read: its address is private.',
    'https://hotel.test/ war nicht lesbar: seine Adresse ist privat.',
  ],
  [
    'The name could not be looked up: no name server answered in time.',
    'Der Name ließ sich nicht nachschlagen. Kein Nameserver antwortete rechtzeitig.',
  ],
  [
    'Plesk on bz-cloud-01 cannot be reached: the connection was refused.',
    'Plesk auf bz-cloud-01 ist nicht erreichbar: die Verbindung wurde abgewiesen.',
  ],
  [
    'Plesk on bz-cloud-01 cannot be reached: the certificate is self-signed, and PLESK_CERTIFICATES has no fingerprint of it.',
    'Plesk auf bz-cloud-01 ist nicht erreichbar: das Zertifikat ist selbst signiert, und PLESK_CERTIFICATES hat keinen Fingerabdruck davon.',
  ],
  [
    'Plesk on bz-cloud-01 refuses to answer: Access denied. Ask your host.',
    'Plesk auf bz-cloud-01 verweigert die Antwort: Access denied. Ask your host.',
  ],
  [
    'Plesk on bz-cloud-01 answered something that Kustos cannot read (0.id: Invalid input).',
    'Plesk auf bz-cloud-01 antwortete etwas, das Kustos nicht lesen kann (0.id: Invalid input).',
  ],
  [
    'Plesk on bz-cloud-01 says "on hold" of hotel.test, which is no status that Kustos knows.',
    'Plesk auf bz-cloud-01 sagt „on hold“ von hotel.test, was kein Status ist, den Kustos kennt.',
  ],
  ['Plesk on bz-cloud-01 does not tell its domains.', 'Plesk auf bz-cloud-01 nennt seine Domains nicht.'],
  [
    'Plesk on bz-cloud-01 does not tell what its command "domain --info" says of hotel.test: it ended with 2.',
    'Plesk auf bz-cloud-01 nennt die Auskunft seines Befehls „domain --info“ von hotel.test nicht: er endete mit 2.',
  ],
  [
    'Plesk on bz-cloud-01 does not tell the system user of hotel.test. Plesk on bz-cloud-01 does not tell the disk usage of hotel.test.',
    'Plesk auf bz-cloud-01 nennt den Systembenutzer von hotel.test nicht. Plesk auf bz-cloud-01 nennt den belegten Speicher von hotel.test nicht.',
  ],
])('%s is told in German', (problem, german) => {
  expect(factProblem(i18next.t, problem)).toBe(german)
})

it('leaves what nobody knows as it is', () => {
  expect(factProblem(i18next.t, 'Plesk on bz-cloud-01 hums. Nobody knows why.')).toBe(
    'Plesk on bz-cloud-01 hums. Nobody knows why.',
  )
})
