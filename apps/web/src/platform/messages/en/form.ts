export const form = {
  failed: 'Nothing was saved',
  conflict: 'Someone else saved first',
  latestHint: 'Load the latest version to continue. Your input is kept.',
  loadLatest: 'Load latest',
  loaded: {
    newest: 'The latest version is loaded with your changes applied. Review and save.',
    draft: 'Your unsaved input was restored. It has not been saved yet.',
  },
  conflicts_one: 'One field conflicts: theirs is shown, yours is below it.',
  conflicts_other: '{{count, number}} fields conflict: theirs are shown, yours are below them.',
  moreErrors_one: '{{first}} (and {{count}} more error)',
  moreErrors_other: '{{first}} (and {{count, number}} more errors)',
  yours: 'Yours: {{text}}',
  useMine: 'Use mine',
} as const
