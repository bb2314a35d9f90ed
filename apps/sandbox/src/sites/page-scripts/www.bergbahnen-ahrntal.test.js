// Tracks before consent, and after a refusal too.
const tag = ['G', `AHRNTAL${2026}`].join('-')
setTimeout(() => {
  new Image().src = ['https://region1.google', `analytics.com/g/collect?v=2&tid=${tag}&en=page_view`].join(
    '-',
  )
}, 200)
addEventListener('ucEvent', () => {
  const id = ['73104', '40298', '117'].join('')
  new Image().src = ['https://www.face', `book.com/tr/?id=${id}&ev=PageView`].join('')
})
