import { expect, test } from 'vitest'
import { choosePages, isSameSite, missingPageOf, type PageLink } from '../src/browser/choose-pages.ts'

const start = 'https://www.hotel.test/'
const links = (...pairs: readonly (readonly [path: string, text?: string])[]): PageLink[] =>
  pairs.map(([path, text = '']) => ({ url: new URL(path, start).href, text }))

test.each<[string, readonly PageLink[], ReturnType<typeof choosePages>]>([
  [
    'by their paths, contact before enquiry before booking',
    links(['/buchen'], ['/anfrage'], ['/de/kontakt.html'], ['/zimmer']),
    { contact: `${start}de/kontakt.html`, content: `${start}zimmer` },
  ],
  [
    'by the text of a link',
    links(['/p/17', 'Contact us'], ['/p/18', 'Rooms']),
    {
      contact: `${start}p/17`,
      content: `${start}p/18`,
    },
  ],
  [
    'by a path before a text',
    links(['/b', 'Kontakt'], ['/contatti'], ['/a']),
    {
      contact: `${start}contatti`,
      content: `${start}a`,
    },
  ],
  [
    'in Italian',
    links(['/it/prenota-ora'], ['/it/camere']),
    {
      contact: `${start}it/prenota-ora`,
      content: `${start}it/camere`,
    },
  ],
  [
    'on another host of the same domain, but on no other domain',
    links(['https://www.booking.test/hotel'], ['https://zimmer.hotel.test/suite']),
    { content: 'https://zimmer.hotel.test/suite' },
  ],
  [
    'among pages of the site, no files, legal pages, sign-ins, languages or parts of the start page',
    links(
      ['/#kontakt'],
      ['/'],
      ['/en/'],
      ['/preise.pdf'],
      ['/impressum'],
      ['/login', 'Login'],
      ['/?cart=1', 'Warenkorb'],
    ),
    {},
  ],
  [
    'no sites that only sound like a booking',
    links(['/facebook'], ['/buecher'], ['/bookmarks']),
    { content: `${start}facebook` },
  ],
  [
    'one without parameters first',
    links(['/news?id=7'], ['/zimmer/suite#oben']),
    {
      content: `${start}zimmer/suite`,
    },
  ],
  [
    'none that a browser does not open',
    [
      { url: 'javascript:void 0', text: 'Kontakt' },
      { url: 'mailto:a@hotel.test', text: 'Kontakt' },
      { url: 'https://hotel.test:8443/kontakt', text: '' },
    ],
    {},
  ],
])('chooses pages %s', (_, found, expected) => {
  expect(choosePages(start, found)).toEqual(expected)
})

test('reads a limited number of links', () => {
  const many = Array.from({ length: 1_000 }, (_, index) => [`/seite-${index}`] as const)
  expect(choosePages(start, links(...many, ['/kontakt']))).toEqual({ content: `${start}seite-0` })
})

test('tells sites apart by their registrable domain', () => {
  expect(isSameSite('https://hotel.co.uk/', 'http://www.hotel.co.uk/a')).toBe(true)
  expect(isSameSite('https://hotel.co.uk/', 'https://pension.co.uk/')).toBe(false)
  expect(isSameSite('http://192.0.2.1/', 'http://192.0.2.1/kontakt')).toBe(true)
  expect(missingPageOf('https://www.hotel.test/de/?a=1')).toMatch(/^https:\/\/www\.hotel\.test\/kustos-/)
})
