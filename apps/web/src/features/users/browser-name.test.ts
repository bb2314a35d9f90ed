import { expect, it } from 'vitest'
import { browserName } from './browser-name.ts'

const mozilla = 'Mozilla/5.0'

it.each([
  [
    `${mozilla} (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36`,
    { browser: 'Chrome 142', system: 'Windows', isHandheld: false },
  ],
  [
    `${mozilla} (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0`,
    { browser: 'Firefox 145', system: 'Linux', isHandheld: false },
  ],
  [
    `${mozilla} (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1`,
    { browser: 'Safari 18', system: 'iOS', isHandheld: true },
  ],
  ['', { browser: null, system: null, isHandheld: false }],
])('names the browser and the system of "%s"', (userAgent, name) => {
  expect(browserName(userAgent)).toEqual(name)
})

it('names no system for other clients', () => {
  for (const userAgent of ['x'.repeat(2000), '<b>', '((((', '\u0000'])
    expect(browserName(userAgent)).toMatchObject({ system: null, isHandheld: false })
})
