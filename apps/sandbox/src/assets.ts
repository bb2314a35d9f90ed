import { readFileSync } from 'node:fs'

export const readAsset = (moduleUrl: string, path: string): string =>
  readFileSync(new URL(path, moduleUrl), 'utf8')

/** Replaces each `{name}` of the given values. */
export const fillTemplate = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replace(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder)
