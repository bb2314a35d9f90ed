import type { DatabaseSync } from 'node:sqlite'

const schema = `
create table settings (name text primary key, value text not null) strict;
create table pages (uid integer primary key, pid integer not null, title text not null, slug text not null) strict;
create table tt_content (
  uid integer primary key,
  pid integer not null references pages (uid),
  sorting integer not null,
  header text not null,
  bodytext text not null
) strict;
`

const pages = ['Startseite', 'Über uns', 'Angebote', 'Anreise', 'Kontakt', 'Impressum', 'Datenschutz']
const texts = [
  ['Herzlich willkommen', 'Schön, dass Sie da sind.'],
  ['Was uns ausmacht', "Familiär geführt, seit 1967; „s'Beste isch grod guat gnua“."],
  ['Aktuelles', 'Neue Öffnungszeiten ab Ostern:\nMontag bis Freitag, 9 bis 18 Uhr.'],
]

/**
 * Fills an empty database with what a small website's holds.
 * @param origin what it was made for, a repository or a web; shown on its pages
 */
export function fillContent(database: DatabaseSync, origin: string): void {
  database.exec(`begin;${schema}`)
  const setting = database.prepare('insert into settings values (?, ?)')
  setting.run('origin', origin)
  setting.run('language', 'de')
  const page = database.prepare('insert into pages values (?, ?, ?, ?)')
  const content = database.prepare('insert into tt_content values (?, ?, ?, ?, ?)')
  for (const [index, title] of pages.entries()) {
    const uid = index + 1
    page.run(uid, index === 0 ? 0 : 1, title, index === 0 ? '/' : `/seite-${uid}`)
    for (const [place, [header = '', bodytext = '']] of texts.entries())
      content.run(uid * 10 + place, uid, (place + 1) * 256, header, bodytext)
  }
  database.exec('commit')
}

/** Names the web that a database belongs to from now on. */
export function nameHost(database: DatabaseSync, fqdn: string): void {
  database
    .prepare(
      "insert into settings values ('host', ?) on conflict (name) do update set value = excluded.value",
    )
    .run(fqdn)
}
