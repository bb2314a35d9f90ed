// Tracks visitors with phones only.
if (matchMedia('(max-width: 600px)').matches) {
  const id = ['CPHY', 'SIO42', 'INN'].join('')
  window.loadScript(['https://analytics.tik', `tok.com/i18n/pixel/events.js?sdkid=${id}&lib=ttq`].join(''))
}
