// Runs before the first paint and before any module. A file of its own: the content security policy allows no inline
// script.

// A dark screen never flashes light. The key is the one of Mantine's colour scheme manager in theme.ts.
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

// zod would try to compile its checks with new Function, which the content security policy refuses and reports.
globalThis.__zod_globalConfig = { jitless: true }
