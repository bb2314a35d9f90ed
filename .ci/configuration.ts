import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { documentation, variableSchemas } from '../packages/domain/src/platform/configuration/index.ts'
import { root } from './command.ts'
import { judge, type Outcome } from './gate.ts'

const page = join(root, 'docs/configuration.md')

/** Fails if docs/configuration.md differs from the schema that reads the variables. */
export async function configuration(): Promise<Outcome> {
  const [written, expected] = [await readFile(page, 'utf8'), render()]
  return judge(
    written === expected ? [] : ['docs/configuration.md is stale: run `node .ci/configuration.ts`.'],
  )
}

/** The page as Markdown: a table of variables for each section, in the order of the schema. */
function render(): string {
  const sections = new Map<string, string[]>()
  for (const [name, schema] of Object.entries(variableSchemas)) {
    const about = documentation.get(schema)
    if (about === undefined) throw new Error(`${name} has no documentation`)
    const { section, description, isSecret } = about
    const row = `| \`${name}\`${isSecret ? ' ¹' : ''} | ${defaultOf(schema)} | ${description} |`
    sections.set(section, [...(sections.get(section) ?? []), row])
  }
  const tables = [...sections].map(
    ([section, rows]) =>
      `## ${section}\n\n| Variable | Default | Description |\n|---|---|---|\n${rows.join('\n')}\n`,
  )
  return `${introduction}\n${tables.join('\n')}`
}

function defaultOf(schema: (typeof variableSchemas)[string]): string {
  const value = schema.safeParse(undefined).data
  return typeof value === 'number' || (typeof value === 'string' && value !== '') ? `\`${value}\`` : ''
}

const introduction = `# Which environment variables are there?

<!-- Written by \`node .ci/configuration.ts\` from packages/domain/src/platform/configuration/index.ts. -->

Every program reads its configuration from environment variables once, when it starts. An empty variable counts as unset. An
invalid one stops the program with a sentence that names it. \`docker-compose.yml\` has a few more of its own, which
\`.env.example\` explains.

¹ A secret. It may be read from a file instead: set \`NAME_FILE\` to the file's path and leave \`NAME\` unset.
`

if (import.meta.main) await writeFile(page, render())
