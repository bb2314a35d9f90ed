import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { detectFramework, mergeFramework } from '../../../src/webs/refresh/framework.ts'

const address = 'https://www.hotel.test/de/'
const generator = (content: string) =>
  `<head><meta charset="utf-8"><META Name="Generator" content="${content}">`
const hash = '0123456789abcdef0123456789abcdef'

describe('a page', () => {
  test.each([
    [generator('TYPO3 CMS'), 'TYPO3', null],
    [generator('TYPO3 4.5 CMS'), 'TYPO3', '4.5'],
    [generator('WordPress 6.8.3'), 'WordPress', '6.8.3'],
    [generator('wordpress 6.8.3-beta1'), 'WordPress', '6.8.3'],
    [generator('Shopware 6.7.4.0'), 'Shopware', '6.7.4.0'],
    [generator('Joomla! - Open Source Content Management'), 'Joomla', null],
    [generator('Drupal 10 (https://www.drupal.org)'), 'Drupal', '10'],
    [generator('Contao Open Source CMS'), 'Contao', null],
    ['<link rel="stylesheet" href="/typo3temp/assets/compressed/merged.css">', 'TYPO3', null],
    ['<script src="/typo3conf/ext/site/main.js"></script>', 'TYPO3', null],
    [`<link rel="stylesheet" href="/_assets/${hash}/Css/site.css">`, 'TYPO3', null],
    ['<img src="/wp-content/uploads/2026/haus.jpg">', 'WordPress', null],
    ['<script src="//www.hotel.test/blog/wp-includes/js/jquery.js?ver=3.7.1"></script>', 'WordPress', null],
    [`<link href="https://www.hotel.test/theme/${hash}/css/all.css">`, 'Shopware', null],
    ['<script src="/bundles/storefront/app.js"></script>', 'Shopware', null],
    ['<link href="/web/cache/1710000000_abc.css">', 'Shopware', null],
    [`${generator('TYPO3 CMS')}<img src="/wp-content/uploads/a.jpg">`, 'TYPO3', null],
    [`<img src="/wp-content/uploads/a.jpg">${generator('TYPO3 CMS')}`, 'TYPO3', null],
  ])('%s is made with %s %s', (html, name, version) => {
    expect(detectFramework(html, address)).toEqual({ name, version })
  })

  test.each([
    ['<p>Made with TYPO3 and /wp-content/themes/</p>'],
    [`<!-- ${generator('WordPress 6.8.3')} -->`],
    [`<template>${generator('WordPress 6.8.3')}</template>`],
    ['<script>const a = \'<meta name="generator" content="WordPress 6.8.3">\'</script>'],
    ['<img src="https://blog.test/wp-content/uploads/a.jpg">'],
    ['<a href="/wp-content/uploads/prospekt.pdf">Prospekt</a>'],
    ['<img src="/bilder/wp-content-tutorial.jpg">'],
    [generator('Handmade with love')],
    [generator('')],
    ['<meta name="generator"><meta>'],
    ['<img src="http://[">'],
    [''],
  ])('%s reveals no framework', (html) => {
    expect(detectFramework(html, address)).toBeNull()
  })

  test('may contain anything at any depth', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (html) => void detectFramework(html, address)))
    const startedAt = performance.now()
    expect(detectFramework(generator('TYPO3 CMS') + '<b>'.repeat(400_000), address)?.name).toBe('TYPO3')
    detectFramework('<script'.repeat(50_000), address)
    detectFramework(generator(`WordPress ${'1.'.repeat(200_000)}`), address)
    expect(performance.now() - startedAt).toBeLessThan(5_000)
  })
})

describe('the known framework', () => {
  const known = { framework_name: 'TYPO3', framework_version: '12.4.41' }

  test.each([
    ['stays if no version is found', { name: 'TYPO3', version: null }, known],
    ['stays if only its major version is found', { name: 'TYPO3', version: '12' }, known],
    [
      'is overwritten by another version',
      { name: 'TYPO3', version: '13.4' },
      { ...known, framework_version: '13.4' },
    ],
    [
      'is overwritten by a version that only begins like it',
      { name: 'TYPO3', version: '1' },
      { ...known, framework_version: '1' },
    ],
    [
      'is replaced by another framework',
      { name: 'WordPress', version: null },
      { framework_name: 'WordPress', framework_version: null },
    ],
  ])('%s', (_, found, expected) => {
    expect(mergeFramework(known, found)).toEqual(expected)
  })

  test('keeps the spelling of staff', () => {
    const withLetter = { framework_name: 'TYPO3', framework_version: 'v13.4.20' }
    expect(mergeFramework(withLetter, { name: 'TYPO3', version: '13.4.20' })).toEqual(withLetter)
    const own = { framework_name: 'typo3', framework_version: null }
    expect(mergeFramework(own, { name: 'TYPO3', version: '13.4' })).toEqual({
      framework_name: 'typo3',
      framework_version: '13.4',
    })
  })

  test('starts with the first one found', () => {
    const nothing = { framework_name: null, framework_version: null }
    expect(mergeFramework(nothing, { name: 'Drupal', version: '10' })).toEqual({
      framework_name: 'Drupal',
      framework_version: '10',
    })
  })
})
