import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '../src/migrations.ts'
import { startTestPostgres } from './postgres.ts'
import { urlFor } from './url.ts'

const template = 'kustos_template'

/** For `globalSetup` of a vitest project: starts Postgres, migrates a template, ends Postgres after the last test. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startTestPostgres((sentence) => process.stderr.write(`${sentence}\n`))
  try {
    const client = new pg.Client({ connectionString: postgres.url })
    await client.connect()
    try {
      await client.query(`create database ${template}`)
      await migrate(urlFor(postgres.url, template))
    } finally {
      await client.end()
    }
  } catch (error) {
    await postgres.stop()
    throw error
  }
  project.provide('testPostgres', { url: postgres.url, template })
  return postgres.stop
}
