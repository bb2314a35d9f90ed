// Tracks only after consent.
addEventListener('ucEvent', (event) => {
  const id = ['26', '128', '40517', '339'].join('')
  if (event.detail.action === 'onAcceptAllServices')
    new Image().src = ['https://ct.pin', `terest.com/v3/?event=init&tid=${id}`].join('')
})
