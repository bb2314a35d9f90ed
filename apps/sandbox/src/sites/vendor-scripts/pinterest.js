{
  const queue = window.pintrk?.queue ?? []
  window.pintrk = (command, id) => {
    if (command === 'load') new Image().src = `https://ct.pinterest.com/v3/?event=init&tid=${id}`
  }
  for (const call of queue) window.pintrk(...call)
}
