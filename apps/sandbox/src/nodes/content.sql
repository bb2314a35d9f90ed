begin;
create table settings (name text primary key, value text not null) strict;
create table pages (uid integer primary key, pid integer not null, title text not null, slug text not null) strict;
create table tt_content (
  uid integer primary key,
  pid integer not null references pages (uid),
  sorting integer not null,
  header text not null,
  bodytext text not null
) strict;
insert into settings values ('language', 'de');
insert into pages values
  (1, 0, 'Startseite', '/'),
  (2, 1, 'Über uns', '/seite-2'),
  (3, 1, 'Angebote', '/seite-3'),
  (4, 1, 'Anreise', '/seite-4'),
  (5, 1, 'Kontakt', '/seite-5'),
  (6, 1, 'Impressum', '/seite-6'),
  (7, 1, 'Datenschutz', '/seite-7');
with texts (position, header, bodytext) as (
  values
    (0, 'Herzlich willkommen', 'Schön, dass Sie da sind.'),
    (1, 'Was uns ausmacht', 'Familiär geführt, seit 1967; „s''Beste isch grod guat gnua“.'),
    (2, 'Aktuelles', 'Neue Öffnungszeiten ab Ostern:' || char(10) || 'Montag bis Freitag, 9 bis 18 Uhr.')
)
insert into tt_content
select pages.uid * 10 + position, pages.uid, (position + 1) * 256, header, bodytext
from pages cross join texts
order by 1;
commit;
