// Runs before the first paint, so that a dark screen never flashes light. A file of its own: the content
// security policy allows no inline script. The key is the one of Mantine's colour scheme manager.
;(() => {
  let chosen = null
  try {
    chosen = localStorage.getItem('kustos.colorScheme')
  } catch {
    // Storage may be forbidden; the system's scheme serves then.
  }
  const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
})()
