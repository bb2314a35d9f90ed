/** The German catalogue; see `en/index.ts`. */
export * from './console.ts'
export * from './screens.ts'
