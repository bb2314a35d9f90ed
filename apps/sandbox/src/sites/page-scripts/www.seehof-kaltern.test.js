// Writes a tag into the page while it is parsed, and loads a library that it should not.
const id = ['28374', '65019', '283'].join('')
document.write(
  [
    '<img alt="" width="1" height="1" src="https://www.face',
    `book.com/tr/?id=${id}&ev=PageView&noscript=1">`,
  ].join(''),
)
const library = document.createElement('script')
library.src = ['https://cdn.poly', 'fill.io/v3/polyfill.min.js'].join('')
document.head.append(library)
